"""Cubes cut out of photos: faces, masks, colours, the cards' white, and the network's points."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import guessed_camera
from calibration.view import TableView
from vision.drop.appearance import CROP, look_at, sample_quads, visible_faces
from vision.drop.appearance_net import embed, white_of_cards
from vision.drop.solids import corners_px, standing


def slanted(elevation_deg: float) -> TableView:
    """A phone 400 mm away that looks at the table's origin."""
    tilt = np.radians(90 + elevation_deg)
    return TableView(
        guessed_camera(1600, 1200), np.array([tilt, 0.0, 0.0]), np.array([0.0, 0.0, 400.0]), "markers", 0.3
    )


def painted(view, cubes, top, side, table):
    """A photo of flat colours: the silhouettes, then the upper faces over them."""
    photo = np.full((1200, 1600, 3), table, np.uint8)
    for corners in corners_px(cubes, view):
        hull = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(photo, np.rint(hull).astype(np.int32), side)
        cv2.fillConvexPoly(photo, np.rint(corners[4:]).astype(np.int32), top)
    return photo


@given(st.floats(46, 88), st.floats(0, 1.5), st.floats(-80, 80), st.floats(-60, 60))
@settings(max_examples=25, deadline=None)
def test_masks_lie_on_the_faces_they_name(elevation, turn, x, y):
    view = slanted(elevation)
    cubes = standing(np.array([[x, y]]), np.array([10.0]), np.array([turn]))
    looks = look_at(painted(view, cubes, (10, 200, 30), (200, 20, 40), (90, 90, 90)), view, cubes)
    top, sides = looks.crops[0][looks.top[0]], looks.crops[0][looks.sides[0]]
    np.testing.assert_allclose(np.median(top, axis=0), np.array([10, 200, 30]) / 255, atol=0.02)
    if looks.sides[0].sum() > 70:  # fewer are all edge
        np.testing.assert_allclose(np.median(sides, axis=0), np.array([200, 20, 40]) / 255, atol=0.05)
    around = looks.crops[0][~(looks.top[0] | looks.sides[0])]
    np.testing.assert_allclose(np.median(around, axis=0), np.full(3, 90 / 255), atol=0.02)


@given(st.floats(0, 6.2), st.floats(0, 6.2), st.floats(5, 16))
@settings(max_examples=40, deadline=None)
def test_faces_are_squares_turned_to_the_eye_the_upper_one_first(turn, around, side):
    eye = np.array([200 * np.cos(around), 200 * np.sin(around), 300.0])
    cube = standing(np.array([[3.0, 4.0]]), np.array([side]), np.array([turn]))
    faces, facing = visible_faces(cube, eye)
    assert faces.shape == (1, 3, 4, 3)
    np.testing.assert_allclose(np.linalg.norm(np.diff(faces, axis=2), axis=3), side)
    np.testing.assert_allclose(faces[0, 0, :, 2], side)
    assert (facing >= -1e-9).all() and facing[0, 1] >= facing[0, 2]


def test_a_quad_is_straightened_corner_to_corner():
    y, x = np.mgrid[0:60, 0:80].astype(np.uint8)
    photo = np.dstack([x, y, np.zeros_like(x)])
    patch = sample_quads(photo, np.array([[[10, 5], [74, 5], [74, 37], [10, 37]]], float), 16)[0] * 255
    np.testing.assert_allclose(patch[:, :, 0], np.tile(10 + 64 * (np.arange(16) + 0.5) / 16, (16, 1)), atol=1.0)
    np.testing.assert_allclose(patch[:, :, 1], np.tile(5 + 32 * (np.arange(16) + 0.5) / 16, (16, 1)).T, atol=1.0)


def test_a_cube_at_the_photos_edge_is_cut_out_too():
    view = slanted(60)
    cubes = standing(view.to_table(np.array([[2.0, 3.0]]), 4.0), np.array([8.0]), np.array([0.3]))
    looks = look_at(np.full((1200, 1600, 3), 77, np.uint8), view, cubes)
    np.testing.assert_allclose(looks.crops, 77 / 255, atol=1e-6)


def test_the_white_of_cards_is_found_beside_their_black():
    photo = np.full((400, 400, 3), 60, np.uint8)
    cv2.rectangle(photo, (80, 80), (220, 220), (180, 200, 220), -1)
    cv2.rectangle(photo, (100, 100), (200, 200), (15, 15, 15), -1)
    corners = np.array([[[100, 100], [200, 100], [200, 200], [100, 200]]], float)
    np.testing.assert_allclose(white_of_cards(photo, corners), np.array([180, 200, 220]) / 255)
    assert white_of_cards(photo, np.empty((0, 4, 2))) is None


def test_like_cubes_lie_near_each_other_and_unlike_ones_apart():
    view = slanted(65)
    places = np.array([[-60.0, 0.0], [-20.0, 30.0], [20.0, -30.0], [60.0, 10.0]])
    cubes = standing(places, np.full(4, 10.0), np.array([0.1, 0.9, 0.5, 1.2]))
    photo = painted(view, cubes[:2], (40, 40, 200), (30, 30, 150), (150, 160, 170))
    green = painted(view, cubes[2:], (60, 160, 40), (45, 120, 30), (150, 160, 170))
    both = np.where((green != (150, 160, 170)).any(axis=2, keepdims=True), green, photo)
    points = embed(look_at(both, view, cubes))
    gap = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert max(gap[0, 1], gap[2, 3]) < 0.5 * gap[:2, 2:].min()


def test_no_cubes_no_points():
    view = slanted(65)
    none = standing(np.empty((0, 2)), np.empty(0), np.empty(0))
    looks = look_at(np.zeros((1200, 1600, 3), np.uint8), view, none)
    assert looks.crops.shape == (0, CROP.crop_px, CROP.crop_px, 3)
    assert len(embed(looks)) == 0
