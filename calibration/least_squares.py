"""Levenberg-Marquardt for the small fits of this package: a handful of unknowns, a few dozen residuals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.camera import Array

Residuals = Callable[[Array], Array]  # a batch of parameter vectors (b x n) to a batch of residuals (b x m)


def slopes_of(residuals: Residuals, params: Array, steps: Array) -> tuple[Array, Array]:
    """Residuals (m) and their derivatives (m x n), by central differences in one batch."""
    batch = np.vstack([params, params + np.diag(steps), params - np.diag(steps)])
    values, n = residuals(batch), len(params)
    slopes = (values[1 : n + 1] - values[n + 1 :]) / (2 * steps[:, None])
    return values[0], slopes.T


def descend(
    residuals: Residuals, params: Array, steps: Array, rounds: int, *, done: float = 1e-6, damping: float = 1e-3
) -> tuple[float, Array]:
    """The sum of squares that was reached, and where. The damping grows while steps fail, shrinks while they succeed;
    where the start is known to be good, little of it saves rounds.

    >>> line = lambda batch: batch @ np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 2.0]]) - [1.0, 3.0, 5.0]
    >>> descend(line, np.zeros(2), np.full(2, 1e-4), rounds=9)[1].round(6).tolist()
    [1.0, 2.0]
    """
    now, slopes = slopes_of(residuals, params, steps)
    cost = float(now @ now)
    for _ in range(rounds):
        normal, gradient = slopes.T @ slopes, slopes.T @ now
        tried = params - np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), gradient)
        new = residuals(tried[None])[0]
        if (new_cost := float(new @ new)) < cost:
            gain, params, cost = (cost - new_cost) / cost, tried, new_cost
            if gain < done:
                break
            damping /= 10
            now, slopes = slopes_of(residuals, params, steps)
        else:
            damping *= 10
    return cost, params
