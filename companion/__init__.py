"""What the companion knows of games: records of what lies on the table, rules, verdicts, advice.

Nothing here opens a camera, a socket or a database, and nothing imports OpenCV or Flask: a position goes in as a
value and a verdict comes out as a value. Only `companion.cli` puts the parts of the house together.
"""
