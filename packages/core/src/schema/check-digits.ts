const card =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Whether a text holds the number of a payment card, by its form and its check digit. */
export function hasCardDigits(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!card.test(digits)) return false;
  let sum = 0;
  for (const [index, character] of [...digits].reverse().entries()) {
    const digit = Number(character) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Whether a text is an ISBN of ten digits. */
export function hasIsbn10Digits(text: string): boolean {
  const digits = bare(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** Whether a text is an ISBN of thirteen digits. */
export function hasIsbn13Digits(text: string): boolean {
  const digits = bare(text);
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

function bare(text: string): string {
  return text.replace(/[\s-]+/g, "");
}
