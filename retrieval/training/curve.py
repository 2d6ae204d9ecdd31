"""A run's picture shows its loss, and the held-out figures measured on the way."""

from pathlib import Path

from retrieval.training.loop import Curve


def draw(curve: Curve, path: Path) -> None:
    """Two panels over the same steps, as a PNG."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 7))
    loss, figures = figure.subplots(2, 1, sharex=True)
    loss.plot(*zip(*curve.losses, strict=True), marker=".", color="black")
    loss.set(ylabel="mean loss since the point before")
    figures.set_prop_cycle(color=[colormaps["tab20"](i) for i in range(20)])
    steps = [step for step, _ in curve.figures]
    for name in curve.figures[-1][1]:
        figures.plot(steps, [values[name] for _, values in curve.figures], marker=".", label=name)
    figures.set(xlabel="step", ylabel="on held-out data", ylim=(0, 1))
    figures.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small")
    for axes in (loss, figures):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
