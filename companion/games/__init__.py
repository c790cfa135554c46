"""The games, each in its own folder, listed here by hand: nothing is discovered, so nothing is a surprise."""
