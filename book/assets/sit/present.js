/**
 * What is shown and when, counted in animation frames: a cross, the picture, noise; and how long each really was there.
 * A part ends with the frame nearest to the time that was asked for. The stage says in `data-now` what it shows.
 */
const sitPresent = (() => {
  const CROSS = 300; // ms
  const CELLS = 112; // the finest grain of the noise
  const frame = () => new Promise(requestAnimationFrame);

  /** Wait for the frame nearest to a time, and note the longest frame on the way. */
  async function until(time, log, signal) {
    for (;;) {
      const now = await frame();
      signal.throwIfAborted();
      log.longest = Math.max(log.longest, now - log.last);
      log.last = now;
      log.frames++;
      if (now >= time - log.frame / 2) return now;
    }
  }

  /**
   * Show a picture that is in its place already.
   *
   * @param {HTMLElement} stage
   * @param {{picture: number, mask: number}} asked Times in ms; without a mask 0.
   * @param {AbortSignal} signal Ends it at once.
   * @returns {Promise<{onset: number, end: number, shown: number, mask: number, longest: number}>} Times in ms.
   */
  async function show(stage, asked, signal) {
    const began = await frame();
    const log = { last: began, longest: 0, frames: 0, frame: 16 };
    stage.dataset.now = "cross";
    try {
      const onset = await until(began + CROSS, log, signal);
      Object.assign(log, { longest: 0, frame: (onset - began) / log.frames });
      stage.dataset.now = "picture";
      const off = await until(onset + asked.picture, log, signal);
      stage.dataset.now = asked.mask ? "mask" : "";
      const end = asked.mask ? await until(off + asked.mask, log, signal) : off;
      return { onset, end, shown: off - onset, mask: end - off, longest: log.longest };
    } finally {
      stage.dataset.now = "";
    }
  }

  /** Random grey values at the corners of cells, blended between them. */
  function octave(size, cells, random) {
    const grid = Array.from({ length: (cells + 1) ** 2 }, random);
    return Float32Array.from({ length: size * size }, (_, pixel) => {
      const [x, y] = [pixel % size, Math.floor(pixel / size)].map((place) => (place * cells) / size);
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const row = (y) => grid[y * (cells + 1) + left] * (1 - x + left) + grid[y * (cells + 1) + left + 1] * (x - left);
      return row(top) * (1 - y + top) + row(top + 1) * (y - top);
    });
  }

  /** Pink noise: amplitudes fall as one over the frequency, so that in a plane each octave varies as much. */
  function pinkNoise(canvas, random = Math.random) {
    const { width: size } = canvas;
    const total = new Float32Array(size * size);
    for (let cells = 2; cells <= CELLS; cells *= 2) {
      const layer = octave(size, cells, random);
      const mean = layer.reduce((sum, value) => sum + value) / layer.length;
      const spread = Math.sqrt(layer.reduce((sum, value) => sum + (value - mean) ** 2, 0) / layer.length);
      layer.forEach((value, pixel) => (total[pixel] += (value - mean) / spread));
    }
    const image = new ImageData(size, size);
    total.forEach((value, pixel) => image.data.set([...Array(3).fill(128 + 22 * value), 255], 4 * pixel));
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  return { show, pinkNoise };
})();
