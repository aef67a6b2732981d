// Exact alphas. An alpha is the fraction that its decimal text says, kept as two integers: in
// floating point 0.1 * 10 may fall on the wrong side of 1, and with it a patch of a region.

/** A share of misses that is allowed: numerator / denominator, as the text says it. */
export interface Alpha {
  readonly text: string;
  readonly numerator: number;
  readonly denominator: number;
}

// Products with n + 1 must stay below 2^53: six decimals leave room for nine billion images.
const mostDecimals = 6;

/** The fraction that a decimal text says; null for what is not strictly between 0 and 1. */
export function parseAlpha(text: string): Alpha | null {
  const match = /^0?\.(\d+)$/.exec(text.trim());
  const decimals = match?.[1]?.replace(/0+$/, "") ?? "";
  if (decimals === "" || decimals.length > mostDecimals) return null;
  return {
    text: `0.${decimals}`,
    numerator: Number(decimals),
    denominator: 10 ** decimals.length,
  };
}

function ofThousandths(thousandths: number): Alpha {
  const decimals = String(thousandths).padStart(3, "0").replace(/0+$/, "");
  return { text: `0.${decimals}`, numerator: Number(decimals), denominator: 10 ** decimals.length };
}

function compareAlphas(a: Alpha, b: Alpha): number {
  return a.numerator * b.denominator - b.numerator * a.denominator;
}

export function sameAlpha(a: Alpha, b: Alpha): boolean {
  return compareAlphas(a, b) === 0;
}

/** floor(a / b) of integers without rounding. */
function floorDivide(a: number, b: number): number {
  return (a - (a % b)) / b;
}

/** floor(alpha (n + 1)): a patch is in the region iff at least that many scores exceed its own. */
export function leastExceeding(alpha: Alpha, n: number): number {
  return floorDivide(alpha.numerator * (n + 1), alpha.denominator);
}

/** ceil((1 - alpha)(n + 1)): which of the sorted calibration scores is the threshold. */
export function rank(alpha: Alpha, n: number): number {
  return n + 1 - leastExceeding(alpha, n);
}

/** Whether n labels are enough; with fewer, every patch is in every region. */
export function isFeasible(alpha: Alpha, n: number): boolean {
  return leastExceeding(alpha, n) >= 1;
}

/** The fewest labels for which `alpha` is feasible: ceil(1 / alpha) - 1. */
export function labelsNeeded(alpha: Alpha): number {
  return floorDivide(alpha.denominator + alpha.numerator - 1, alpha.numerator) - 1;
}

/** alpha / count, rounded down to six decimals, as the server divides it; null where nothing is
 *  left. */
export function shareOf(alpha: Alpha, count: number): Alpha | null {
  const millionths = floorDivide(alpha.numerator * 10 ** mostDecimals, alpha.denominator * count);
  return parseAlpha(`0.${String(millionths).padStart(mostDecimals, "0")}`);
}

/** What a slider offers: 0.005, 0.010, ... 0.500, and the target, which must be reachable exactly. */
export function sliderAlphas(target: Alpha | null): Alpha[] {
  const grid = Array.from({ length: 100 }, (_, index) => ofThousandths(5 * (index + 1)));
  if (target === null || grid.some((alpha) => sameAlpha(alpha, target))) return grid;
  return [...grid, target].sort(compareAlphas);
}

/** The first alpha of ascending ones that n labels allow; their number if none is. */
export function firstFeasible(alphas: readonly Alpha[], n: number): number {
  const found = alphas.findIndex((alpha) => isFeasible(alpha, n));
  return found < 0 ? alphas.length : found;
}

/** "90 %", "99.5 %": what an alpha leaves, without rounding. */
export function confidencePercent(alpha: Alpha): string {
  const hundredMillionths =
    ((alpha.denominator - alpha.numerator) * 10 ** (mostDecimals + 2)) / alpha.denominator;
  return `${hundredMillionths / 10 ** mostDecimals} %`;
}
