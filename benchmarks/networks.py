"""Pictures per second: ours beside a plain loop of torch, on the machine at hand, in at most three minutes.

python benchmarks/networks.py    (or make benchmarks MODELS=1) prints a table

Weights are random, pictures are made: neither changes how long a network takes.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from erralign import models
from erralign.models import inference
from erralign.models.libraries import timm, torch

ON_A_GPU = {"networks": ("resnet50", "vit_base_patch16_224"), "pictures": 4096}
ON_A_PROCESSOR = {"networks": ("test_resnet", "resnet18"), "pictures": 512}
BATCH = 64
PLAIN = "plain loop of torch"
WAYS = {"ours": "float32", "ours, pictures decoded before": "float32", "the same in bfloat16": "bfloat16"}
SECONDS = 10  # of each way, of which there are four for each of two networks
MOST_SECONDS = 120  # no other way is begun after so many, on a machine that is busy
SIZE = (500, 375)  # of pictures, in pixels, as ImageNet's mostly are


def pictures(folder: Path, n: int) -> models.Images:
    """Write JPEG files of coloured patches, 32 different ones, in a folder of one class."""
    (folder / "dog").mkdir()
    rng = np.random.default_rng(0)
    contents = []
    for _ in range(32):
        image = Image.fromarray(rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)).resize(SIZE)
        image.save(folder / "one.jpg")
        contents.append((folder / "one.jpg").read_bytes())
    (folder / "one.jpg").unlink()
    for number in range(n):
        (folder / "dog" / f"{number:05d}.jpg").write_bytes(contents[number % 32])
    return models.open_images(folder)


def plain(network: Any, files: list[str], device: str) -> np.ndarray:
    """Compute logits as one would type it."""
    transform = timm().data.create_transform(**timm().data.resolve_data_config(network.pretrained_cfg))
    network = network.eval().to(device)
    rows = []
    with torch().inference_mode():
        for start in range(0, len(files), BATCH):
            batch = [transform(Image.open(file).convert("RGB")) for file in files[start : start + BATCH]]
            rows.append(network(torch().stack(batch).to(device)).cpu().numpy())
    return np.concatenate(rows)


def measure(device: str) -> Iterator[dict]:
    """Time the plain loop and ours, network by network, on as many pictures as there is time for."""
    end = time.monotonic() + MOST_SECONDS
    wanted = ON_A_PROCESSOR if device == "cpu" else ON_A_GPU
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder, "cache"))  # where nothing is kept yet
        Path(folder, "pictures").mkdir()
        images = pictures(Path(folder, "pictures"), wanted["pictures"])
        files = [picture.file for picture in images.pictures[:8]]
        for name in wanted["networks"]:
            torch().manual_seed(0)
            network = timm().create_model(name, pretrained=False)
            plain(network, files[:8], device)  # the first batch pays for what is set up once
            began = time.perf_counter()
            plain(network, files[:8], device)
            n = int(8 * SECONDS / (time.perf_counter() - began))
            shown, files = images.pictures[:n], [picture.file for picture in images.pictures[:n]]
            began = time.perf_counter()
            expected = plain(network, files, device)
            seconds, found = {PLAIN: time.perf_counter() - began}, {PLAIN: expected}
            inference.decoding.clear()
            for way, precision in WAYS.items():
                if time.monotonic() > end:
                    break
                model = models.load(network, device=device, precision=precision)
                model = replace(model, facts=model.facts | {"way": way})  # or the first way's outputs would be read
                began = time.perf_counter()
                found[way] = inference.outputs(model, shown)
                seconds[way] = time.perf_counter() - began
            for way, taken in seconds.items():
                apart = (found[way].argmax(axis=1) != expected.argmax(axis=1)).mean()
                row = {"network": name, "way": way, "pictures per second": len(files) / taken}
                yield row | {"times as fast": seconds[PLAIN] / taken, "other answers": apart}


if __name__ == "__main__":
    print("loading torch and timm", file=sys.stderr)
    device = models.networks.best_device()
    if device == "cpu":
        print("no GPU is here (torch finds neither CUDA nor MPS): small networks on the processor", file=sys.stderr)
    else:
        print(torch().cuda.get_device_name() if device == "cuda" else device, file=sys.stderr)
    print(f"torch {torch().__version__}, {os.cpu_count()} cores")
    print(pd.DataFrame(measure(device)).to_string(index=False, float_format="{:.3g}".format))
