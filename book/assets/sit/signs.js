/** Sixteen drawn signs, so that nobody has to read; and the same signs as pictures to practise with. */
const sitSigns = (() => {
  const drawing = (name, style) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke-width="1.8" ` +
    `stroke-linecap="round" stroke-linejoin="round" ${style}><path d="${sitData.signs[name]}"/></svg>`;
  const picture = (name) =>
    `data:image/svg+xml,${encodeURIComponent(drawing(name, 'stroke="#111" width="224" height="224"'))}`;
  return { inline: (name) => drawing(name, 'stroke="currentColor"'), picture };
})();
