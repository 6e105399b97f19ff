// What properties take besides their own types: the texts of their attributes, which frameworks write.

import type { LessonState } from './lesson-state.js';

/** Names in a text, parted by spaces. A misspelt one is found among the first two. */
type Several<Name extends string> = '' | Name | `${Name} ${Name}` | `${Name} ${Name} ${string}`;

/** A matrix as NumPy and tensor libraries hand it over, row by row. */
type FlatMatrix = { readonly data: ArrayLike<number>; readonly shape: readonly [number, number] | readonly number[] };

type ValueOrText<Value> = Value extends number
  ? number | `${number}`
  : Value extends readonly (readonly number[])[]
    ? Value | FlatMatrix | string
    : Value extends readonly object[]
      ? Value | string
      : Value extends readonly (infer Name extends string)[]
        ? readonly Name[] | (string extends Name ? string | number : Several<Name>)
        : Value;

/** What a property may be set to; null and undefined stand for the default. */
export type SettingValue<Name extends keyof LessonState> = ValueOrText<LessonState[Name]> | null | undefined;

/** A layer's projections at once, in place of X and the weights. */
export type Projections = { [Name in 'Q' | 'K' | 'V']?: readonly (readonly number[])[] | FlatMatrix | null };

/** Several settings and what they are to be. */
export type SettingChanges = { [Name in keyof LessonState]?: SettingValue<Name> };
