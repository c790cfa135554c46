"""Reading a Dungeon Drop table: cubes found, placed, typed and settled under the box."""

from vision.drop.read import read_table

__all__ = ["read_table"]
