// The catalog: what the page says, in English and in German. {} stands for a number, a name or
// another entry. What is not listed is shown in English.
import { exchangeWords } from "./german/exchange_words";
import { frameWords } from "./german/frame_words";
import { guaranteeWords } from "./german/guarantee_words";
import { imageWords } from "./german/image_words";
import { labelWords } from "./german/label_words";
import { manualWords } from "./german/manual_words";
import { projectWords } from "./german/project_words";
import { reviewWords } from "./german/review_words";

export const catalogs: readonly Readonly<Record<string, string>>[] = [
  frameWords,
  projectWords,
  imageWords,
  labelWords,
  reviewWords,
  guaranteeWords,
  exchangeWords,
  manualWords,
];

export const german: Readonly<Record<string, string>> = Object.assign({}, ...catalogs);
