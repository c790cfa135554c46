"""Reading Dungeon Hustle boards: `read_board` takes a photo and a profile, `teach.learn` makes profiles."""

from vision.hustle.read import read_board

__all__ = ["read_board"]
