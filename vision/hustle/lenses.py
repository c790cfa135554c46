"""Many guesses of one lens and of where a board lies before it, at once: what a fit asks for dozens of times."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Array, Camera


@dataclass(frozen=True, eq=False)
class Lenses:
    """A lens with b zooms and b changes of its bulge."""

    camera: Camera
    zoom: Array
    bulge: Array  # added to k1

    def first(self) -> Camera:
        matrix, distortion = self.camera.matrix.copy(), self.camera.distortion.copy()
        matrix[[0, 1], [0, 1]] *= self.zoom[0]
        distortion[0] += self.bulge[0]
        return replace(self.camera, matrix=matrix, distortion=distortion)

    def project(self, flat: Array, rvecs: Array, tvecs: Array) -> Array:
        """(b, n, 2) points of a plane, which lies b times as `rvecs` and `tvecs` say, to (b, n, 2) pixels."""
        seen = flat @ _spins(rvecs)[:, :, :2].transpose(0, 2, 1) + tvecs[:, None]
        u, v = seen[..., 0] / seen[..., 2], seen[..., 1] / seen[..., 2]
        k1, k2, p1, p2, k3 = self.camera.distortion
        r2 = u * u + v * v
        radial = 1 + r2 * (k1 + self.bulge[:, None] + r2 * (k2 + r2 * k3))
        matrix = self.camera.matrix
        across = u * radial + 2 * p1 * u * v + p2 * (r2 + 2 * u * u)
        down = v * radial + p1 * (r2 + 2 * v * v) + 2 * p2 * u * v
        zoom = self.zoom[:, None]
        return np.stack([matrix[0, 0] * zoom * across + matrix[0, 2], matrix[1, 1] * zoom * down + matrix[1, 2]], -1)


def _spins(rvecs: Array) -> Array:
    """(b, 3, 3) of (b, 3) rotation vectors, after Rodrigues."""
    angle = np.maximum(np.linalg.norm(rvecs, axis=1), 1e-12)[:, None, None]
    x, y, z = (rvecs / angle[:, 0]).T
    nil = np.zeros_like(x)
    cross = np.stack([nil, -z, y, z, nil, -x, -y, x, nil], -1).reshape(-1, 3, 3)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross), float)
