/** Sixteen drawn signs, so that nobody has to read; and the same signs as pictures to practise with. */
const sitSigns = (() => {
  const wheel = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  const LINES = {
    airplane: "M16 3q2 0 2 4v6l11 6v3l-11-4v6l4 3v2l-6-2-6 2v-2l4-3v-6l-11 4v-3l11-6V7q0-4 2-4z",
    bear: `${wheel(16, 18, 9.5)}${wheel(7.5, 8.5, 3.5)}${wheel(24.5, 8.5, 3.5)}${wheel(16, 22, 3.5)}M12 15v1M20 15v1`,
    bicycle: `${wheel(7, 21, 5)}${wheel(25, 21, 5)}M7 21l5-9h10l3 9M12 12l5 9h-10M17 21l5-9-1-4h4M10 10h4`,
    bird: "M3 24l6-6q1-9 8-9 1-4 5-4 4 0 4 4l4 2-4 1q0 10-9 11h-5l-5 2zM15 23v5M18 23v5M22 9v.5",
    boat: "M3 21h26l-5 7H8zM16 21V4M18 6l8 12h-8zM14 9l-7 9h7z",
    bottle: "M13 3h6v7q4 3 4 8v9q0 2-2 2H11q-2 0-2-2v-9q0-5 4-8zM9 18h14",
    car: `M3 22v-6l5-1 3-6h10l5 6 3 1v6z${wheel(9, 23, 2.5)}${wheel(23, 23, 2.5)}M9 15h16M16 9v6`,
    cat: "M6 4l6 5h8l6-5v14q0 10-10 10T6 18zM12 16v1M20 16v1M14 21h4l-2 2zM2 20l6 1M30 20l-6 1M2 25l6-1M30 25l-6-1",
    chair: "M9 29V3M9 17h14v12M13 17V3M9 3h4M9 8h4",
    clock: `${wheel(16, 16, 12)}M16 8v8l6 3`,
    dog: "M10 7q6-3 12 0 5 2 6 12-4 2-6-3-1 11-6 12-5-1-6-12-2 5-6 3 1-10 6-12zM13 14v1M19 14v1M14 21h4l-2 2z",
    elephant: "M5 28V16q0-9 9-9h5q9 0 9 9v9q0 3 3 2M24 17q0 3-3 4v7h-4v-6h-7v6H5M19 8q-6 5 0 10M24 13v.5",
    keyboard: "M2 9h28v14H2zM6 13h2M11 13h2M16 13h2M21 13h2M25 13h1M6 16h2M11 16h2M16 16h2M21 16h2M9 20h14",
    knife: "M11 20L25 3q5 8-6 18l-3 2zM11 20l4 4-6 6-4-4z",
    oven: "M5 3h22v26H5zM5 10h22M9 6.5h.5M14 6.5h.5M19 6.5h.5M9 14h14v10H9zM11 17h10",
    truck: `M2 8h16v15H2zM18 13h6l6 5v5H18z${wheel(8, 24, 2.5)}${wheel(24, 24, 2.5)}`,
  };

  const drawing = (name, style) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke-width="1.8" ` +
    `stroke-linecap="round" stroke-linejoin="round" ${style}><path d="${LINES[name]}"/></svg>`;
  const picture = (name) =>
    `data:image/svg+xml,${encodeURIComponent(drawing(name, 'stroke="#111" width="224" height="224"'))}`;
  return { inline: (name) => drawing(name, 'stroke="currentColor"'), picture };
})();
