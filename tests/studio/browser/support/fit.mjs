// What does not fit where it is.

/** Runs in the page: whatever is wider than its place, or cut off. */
export function tooWide() {
  const found = [];
  const check = (element, what) => {
    const more = element.scrollWidth - element.clientWidth;
    if (element.clientWidth > 0 && more > 1) found.push(`${what} is ${more} pixels too wide`);
  };
  check(document.documentElement, "the window");
  check(document.querySelector(".page"), "the page");
  for (const one of document.querySelectorAll(".button, .segments, .banner, .field, .card")) {
    check(one, one.textContent.trim().slice(0, 40));
  }
  return found;
}

/** Runs in the page: choices whose text does not fit beside the arrow, but for names that users give. */
export function cutChoices() {
  const context = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("select:not(.scheme-rows select)")].flatMap((one) => {
    const style = getComputedStyle(one);
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const text = one.selectedOptions[0]?.text ?? "";
    const arrow = 16;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const wide = context.measureText(text).width + arrow;
    return one.clientWidth > 0 && wide > room ? [`${text}: ${wide} in ${room}`] : [];
  });
}
