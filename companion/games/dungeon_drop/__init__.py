"""Dungeon Drop: rooms from pillars, a game for one to four heroes, scores and advice.

Geometry        rooms.table_rooms(pieces, error_mm, rules) -> TableRooms     every room, whoever asks
                rooms.judged(table_rooms, hero) -> Judged                    points, damage, legality as arrays
                rooms.room_records(table_rooms, judged, rows) -> [Room]      chosen rows as records
                rooms.ranked_rooms(pieces, hero, error_mm=…) -> [Room]       the short way
                boundary.hull_outline(pillars), boundary.boundary(rooms), boundary.outside(rooms)
In JSON         answers.rooms_answer(question), scoring.score_answer(question)
The game        game.DungeonDrop on companion.games.contract; events.* are its events, position.Position its positions,
                view.view(position) the JSON of the page, table_problems.table_problems(pieces) what a look cannot be
Data            heroes.Hero, quests.Quest (quest_from_json), house.HouseRules, scoring.Standing
"""
