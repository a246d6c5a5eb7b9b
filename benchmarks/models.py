"""What networks cost, and what all pairs of many systems cost, in seconds of one core; needs the extra ``models``.

python benchmarks/models.py              all tables -> data/frozen/scale
python benchmarks/models.py steps zoo    these alone

Seconds of the processor are counted, not of the clock, on one thread: other programs on the machine matter less. Where
torch finds a GPU, ``rates`` adds rows for it, in seconds of the clock.
"""

import os
import sys

if __name__ == "__main__":
    os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}

import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

import erralign
from erralign.models import inference, lite, load, open_images
from erralign.models.libraries import timm, torch

TABLES_AT = Path(__file__).parents[1] / "data" / "frozen" / "scale"
PICTURES = "geirhos2020/cue-conflict"
N_PICTURES = 16
DRAWN = 200  # models of the zoo
OTHERS = ("resnet18", "resnet50", "convnext_tiny", "vit_small_patch16_224")  # rates do not depend on weights
POINTS = (  # systems, trials, draws
    (50, 1280, 500),
    (100, 1280, 500),
    (200, 1280, 500),
    (400, 1280, 500),
    (100, 2560, 500),
    (50, 1280, 5000),
)


def seconds(work, repeats: int = 1) -> float:
    """Return the seconds of the processor that a call takes, after one that does not count; the median of several."""
    taken = []
    for _ in range(repeats + 1):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return float(np.median(taken[1:]))


def decoded_picture(picture) -> Image.Image:
    """Read and decode a picture, as a run does."""
    return Image.open(picture.read()).convert("RGB")


def steps() -> pd.DataFrame:
    """Measure the road of a picture, step by step and as a whole, for the three EfficientNets."""
    rows = []
    pictures = open_images(PICTURES).pictures[:N_PICTURES]
    for name in lite.PACKAGES:
        model = load(name, device="cpu")
        unkept = replace(model, facts={key: fact for key, fact in model.facts.items() if key != "weights"})
        decoded = [decoded_picture(picture) for picture in pictures]
        prepared = [model.prepare(image) for image in decoded]
        stacked, forward = torch().stack(prepared), model.forward_to("logits")
        parts = stacked.split(inference.AT_ONCE_ON_A_PROCESSOR)
        works = {
            "read and decode": lambda: [decoded_picture(picture) for picture in pictures],
            "resize and normalise": lambda decoded=decoded, model=model: [model.prepare(image) for image in decoded],
            "copy into batches": lambda prepared=prepared: torch().stack(prepared),
            "arithmetic of the network": lambda parts=parts, forward=forward: [forward(part) for part in parts],
            "the whole road": lambda unkept=unkept: inference.outputs(unkept, pictures),
        }
        rows += [(name, step, seconds(work) / len(pictures)) for step, work in works.items()]
    return pd.DataFrame(rows, columns=["model", "step", "seconds"])


def gmacs(name: str) -> tuple[float, float, int]:
    """Count a network's multiplications of one picture (in thousand millions), its parameters, its picture's width."""
    from torch.utils.flop_counter import FlopCounterMode

    with torch().device("meta"):
        module = timm().create_model(name).eval()
        size = module.pretrained_cfg["input_size"]
        with FlopCounterMode(display=False) as counter:
            module(torch().zeros(1, *size))
    parameters = sum(each.numel() for each in module.parameters())
    return counter.get_total_flops() / 2e9, parameters / 1e6, size[-1]


def rates() -> pd.DataFrame:
    """Measure the arithmetic of seven networks on pictures in memory, beside its amount."""
    devices = ["cpu", *(["cuda"] if torch().cuda.is_available() else [])]
    rows = []
    for name in (*lite.PACKAGES, *OTHERS):
        amount, parameters, size = gmacs(name)
        for device in devices:
            module = timm().create_model(name).eval().to(device)
            taken = _of_batch(module, size, device)
            rows.append((name, device, amount, parameters, taken))
    return pd.DataFrame(rows, columns=["model", "device", "gmacs", "parameters", "seconds"])


def _of_batch(module, size: int, device: str) -> float:
    """Return seconds per picture: of the processor, or of the clock for a GPU with mixed precision."""
    if device == "cpu":
        pixels = torch().zeros(inference.AT_ONCE_ON_A_PROCESSOR, 3, size, size)
        with torch().inference_mode():
            return seconds(lambda: module(pixels)) / len(pixels)
    pixels = torch().zeros(256, 3, size, size, device=device).contiguous(memory_format=torch().channels_last)
    module = module.to(memory_format=torch().channels_last)
    taken = []
    with torch().inference_mode(), torch().autocast(device):
        for _ in range(10):
            torch().cuda.synchronize()
            start = time.perf_counter()
            module(pixels)
            torch().cuda.synchronize()
            taken.append(time.perf_counter() - start)
    return float(np.median(taken[3:])) / len(pixels)


def zoo() -> pd.DataFrame:
    """Count parameters and multiplications of models drawn at random from those in timm with ImageNet's classes."""
    trained = timm().list_models(pretrained=True)
    trained = [name for name in trained if timm().get_pretrained_cfg(name).num_classes == 1000]
    drawn = np.random.default_rng(0).choice(trained, DRAWN, replace=False)
    rows = []
    for name in sorted(map(str, drawn)):
        try:
            rows.append((name, *gmacs(name)))
        except (RuntimeError, NotImplementedError) as error:
            print(f"{name} cannot be counted: {error}", file=sys.stderr)
            rows.append((name, np.nan, np.nan, np.nan))
    table = pd.DataFrame(rows, columns=["model", "gmacs", "parameters", "width"])
    return table.assign(of=len(trained), timm=version("timm"))


def pairs() -> pd.DataFrame:
    """Measure all pairs with intervals of simulated systems, 16 classes."""
    rows = []
    erralign.pairwise_intervals(simulate(3, 100), n_resamples=100)  # imports
    for n_systems, n_trials, n_resamples in POINTS:
        responses = simulate(n_systems, n_trials)
        for measure in ("EC", "MA", "CLES"):
            start = time.process_time()
            found = erralign.pairwise_intervals(responses, measure, n_resamples=n_resamples)
            rows.append((n_systems, n_trials, n_resamples, len(found), measure, time.process_time() - start))
            print(rows[-1], file=sys.stderr, flush=True)
    return pd.DataFrame(rows, columns=["systems", "trials", "draws", "pairs", "measure", "seconds"])


def simulate(n_systems: int, n_trials: int) -> erralign.Responses:
    """Draw systems of 40 to 80 % accuracy."""
    rng = np.random.default_rng(0)
    truth = np.arange(n_trials) % 16
    right = rng.random((n_trials, n_systems)) < rng.uniform(0.4, 0.8, n_systems)
    answers = np.where(right, truth[:, None], rng.integers(16, size=right.shape))
    systems = [f"system-{number}" for number in range(n_systems)]
    return erralign.Responses.from_table(truth, pd.DataFrame(answers, columns=systems), classes=range(16))


TABLES = {"steps": steps, "rates": rates, "zoo": zoo, "pairs": pairs}


if __name__ == "__main__":
    torch().set_num_threads(1)
    TABLES_AT.mkdir(exist_ok=True)
    for name in sys.argv[1:] or TABLES:
        TABLES[name]().to_csv(TABLES_AT / f"{name}.csv", index=False, float_format="%.4g")
