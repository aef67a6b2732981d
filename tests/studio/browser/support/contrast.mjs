// Which texts of a page stand too little out from what is behind them (WCAG 2.2, 1.4.3).

/** Runs in the page. Texts with less contrast than 4.5 : 1, or 3 : 1 where they are large. */
export function faintTexts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // A canvas knows every notation of colors that style sheets may use.
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (above, below, alpha) =>
    above.map((value, index) => alpha * value + (1 - alpha) * below[index]);
  const behind = (element) => {
    if (element === null) return [255, 255, 255];
    const { rgb, alpha } = rgba(getComputedStyle(element).backgroundColor);
    return alpha === 1 ? rgb : over(rgb, behind(element.parentElement), alpha);
  };
  const light = (rgb) => {
    const [red, green, blue] = rgb
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const isLarge = (style) => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  };
  const isSeen = (element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    element.closest(
      ".visually-hidden, .skip, [aria-hidden=true], :disabled, .disabled, [aria-disabled=true]",
    ) === null;

  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text === "" || !isSeen(element)) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const { rgb, alpha } = rgba(style.color);
    const found = contrast(over(rgb, ground, alpha), ground);
    if (found < (isLarge(style) ? 3 : 4.5)) faint.add(`${text.slice(0, 40)}: ${found.toFixed(2)}`);
  }
  return [...faint];
}
