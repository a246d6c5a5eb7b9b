"""The command that plans an experiment, of two systems or of people and systems."""

from collections.abc import Iterator
from typing import Any

import click


@click.command()
@click.option("--ec", type=float, required=True, help="The error consistency that you expect.")
@click.option("--accuracy-a", type=float, help="Of two systems: the accuracy of the one, from 0 to 1.")
@click.option("--accuracy-b", type=float, help="The accuracy of the other.")
@click.option("--width", type=float, help="How wide the 95 % interval of EC, and of MA, may be on average.")
@click.option("--power", type=float, help="How often a difference should be found, such as .8.")
@click.option("--ma", type=float, help="The misclassification agreement that you expect.")
@click.option("--options", type=click.IntRange(3), default=4, show_default=True, help="How many answers, for MA.")
@click.option("--people", type=int, help="With people: how many answer all pictures.")
@click.option("--pictures", type=int, help="How many pictures.")
@click.option("--systems", type=int, default=2, show_default=True, help="How many systems are compared.")
@click.option("--accuracy", type=float, help="The accuracy of people and of systems.")
@click.option("--accuracy-of-systems", type=float, help="The accuracy of systems, where it is another.")
@click.option("--difference", type=float, help="How much less a system has with people: of EC, with --ma of MA.")
@click.option("--ec-with-self", type=float, help="The EC of a person with the same person, shown a picture again.")
def plan(**given: Any) -> None:
    """Say how many trials an experiment needs, or how often one with people finds a difference.

    With --people, --pictures, --accuracy and --difference: people and systems answer the same pictures, --ec is that
    of people with each other and of system A with people, and system B has --difference less.
    """
    needed = ("pictures", "accuracy", "difference") if given["people"] is not None else ("accuracy_a", "accuracy_b")
    if lacking := [f"--{name.replace('_', '-')}" for name in needed if given[name] is None]:
        raise click.UsageError(f"give {', '.join(lacking)} too (two systems need accuracies, people need --people)")
    for line in _with_people(**given) if given["people"] is not None else _of_two(**given):
        click.echo(line)


def _of_two(
    ec: float, accuracy_a: float, accuracy_b: float, width: float | None, power: float | None, **given: Any
) -> Iterator[str]:
    from erralign import planning

    expected = ec, accuracy_a, accuracy_b
    if width is None and power is None:
        raise click.UsageError("give --width for an interval, --power for a difference of the accuracies, or both")
    joint = planning.expected_table(*expected)[0, 0]
    if width is not None:
        n_trials = planning.trials_needed(*expected, width)
        yield f"{n_trials:,} trials, on about {n_trials * joint:,.0f} of which both are wrong"
    if width is not None and given["ma"] is not None:
        n_errors = planning.joint_errors_needed(given["ma"], [1] * (given["options"] - 1), width)
        yield f"{n_errors / joint:,.0f} trials for MA, on about {n_errors:,} of which both are wrong"
    if power is not None:
        yield f"{planning.trials_needed_for_difference(*expected, power):,} trials to find a difference"


def _with_people(people: int, pictures: int, power: float | None, options: int, **given: Any) -> Iterator[str]:
    from erralign.planning import power_with_people

    world = {name: given[name] for name in ("accuracy", "accuracy_of_systems", "ec", "difference", "systems", "ma")}
    world |= {"ec_with_self": given["ec_with_self"], "n_options": options, "power": power or 0.8}
    around = power_with_people(
        [max(people // 2, 2), people, 2 * people], [pictures // 2, pictures, 2 * pictures], **world
    )
    twice = power_with_people(people, pictures, repetitions=2, **world)
    for comparison, of_it in around.groupby("comparison", sort=False):
        grid = of_it.pivot_table(index="pictures", columns="people", values="power")
        here = of_it.query("people == @people and pictures == @pictures").iloc[0]
        again = twice.set_index("comparison").loc[comparison]
        measure = "EC" if given["ma"] is None else "MA"
        yield f"{comparison!s}, a difference of {given['difference']} in mean {measure}"
        yield f"  interval {here['width']:.3f} wide, found in {here['power']:.0%} of experiments"
        yield f"  {here['pictures_needed']:,} pictures to find it in {world['power']:.0%}"
        yield "  found, by pictures (rows) and people (columns):"
        yield from ("    " + line for line in grid.to_string(float_format="{:.0%}".format).splitlines() if line.strip())
        bought: dict[str, Any] = {
            "the pictures": grid.loc[2 * pictures, people],
            "the people": grid.loc[pictures, 2 * people],
        }
        most = " (at most: give --ec-with-self)" if given["ec_with_self"] is None else ""
        words = [f"twice {what} {found:.0%}" for what, found in bought.items()]
        yield f"  {', '.join(words)}, each picture twice {again['power']:.0%}{most}"


COMMANDS = (plan,)
