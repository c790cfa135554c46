"""Dungeon Hustle's rules, complete. A place on the board is a `Spot`: a card's (row, col) or a corner's name.

Questions in JSON, as the command line and the page ask them
    answers.answer_monsters(question, explain=False)   who appears, moves and escapes; one sentence each
    answers.answer_runs(question)                      the best run of each colour
    board_answers.answer_advice(question)              the best run for what a hero wants, by weights
    board_answers.answer_forecast(question)            what each card that may come would do, chance of an escape
    board_answers.answer_change(question)              what may have happened between two boards
    scoring.answer_score(question)                     the score sheet from what players enter
    score_record.score_of_record(text)                 the score sheet at the end of a record

The game on the contract (companion/games/contract.py)
    game.DungeonHustle                                 opening, parse_event, parse_position, play, problems, view
    events.*                                           what can happen; one line each; events.parse_event(text)
    position.Position, Hero, Item, Quest, Corner       one moment of a game
    house.HouseRules                                   what a table may switch; the event `house` sets it
    position.unseen_cards(position)                    what the deck may hold
    view.view(position), view.cells(position)          JSON for the page; the board as cells
    problems.board_problems(cells)                     what cannot be on a board as a camera read it
    scoring.scores(position), scoring.sheet(scores)    levels, gold, items, quests

The rules one by one
    board.*                                            what touches what, clockwise, corners, the outer row
    monsters.monster_phase(cards, monsters, heroes, …) phase 5, with reasons
    runs.best_run(table, start, colour)                most cards, of those a shortest path
    legal.checked_run(table, start, colour, path, …)   the run along a path, or why it is none
    advice.best_wanted_run(table, start, wants, …)     weights, endings, one recoloured card, the thief's jump
    wants.wants_of(position, hero), wants.advise(…)    weights from quests, items, keys, fights; and the best run
    inference.explain_change(position, cells, card)    none (show problems), one (record it), several (ask)
    chances.forecast(position)                         for each card still possible, what would happen
    chances.fight_odds(position, hero, bonus)          exact, from the cards not yet seen
    combat.odds_before_draw(…), odds_after_draw(…)     exact chances to win by attacking and by defending
    costs.payments(cost, hand), best_payment(…)        every way to pay; the one that keeps the most useful hand
    card_data.card_data_from_json(data)                what only the cards say, as players enter it; example_cards()
"""
