import { InputError } from '../core/errors';

/** A whole number from an option. @throws InputError */
export function positive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InputError(`${option} ${text} is no positive whole number.`, {
    code: 'usage',
    nextStep: `Give ${option} a number such as 5.`,
  });
}

/** Numbers from a list such as `1,3-5`. @throws InputError */
export function numberList(text: string, option: string): number[] {
  return text.split(',').flatMap((part) => {
    const range = /^(\d+)(?:-(\d+))?$/.exec(part.trim());
    const from = Number(range?.[1]);
    const to = Number(range?.[2] ?? from);
    if (!range || from < 1 || to < from || to - from > 10_000) {
      throw new InputError(`${option} ${text} is no list of numbers.`, {
        code: 'usage',
        nextStep: `Write ${option} 1,3 or ${option} 2-4.`,
      });
    }
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
