// The tag <attention-widget> in the templates of frameworks: its attributes, properties and events, as far as a framework is
// installed. Where one is not, its lines say nothing: a missing module is why they carry @ts-ignore.

import type { LessonState } from '../engine/lesson-state.js';
import type { SettingValue } from '../engine/setting-values.js';
import type { AttentionWidget } from './attention-widget.js';
import type { AttentionWidgetEventMap } from './events.js';

/** "softmaxAxis" as its attribute writes it, "softmax-axis"; a matrix's is in small letters. */
type Attribute<Name extends string> = Name extends Capitalize<Name> ? Lowercase<Name> : InKebabCase<Name>;

type InKebabCase<Name extends string> = Name extends `${infer Start}${infer Rest}`
  ? `${Start extends Lowercase<Start> ? Start : `-${Lowercase<Start>}`}${InKebabCase<Rest>}`
  : '';

type Linked = boolean | '' | 'true' | 'false' | null | undefined;

/** The element's own properties, by their names. */
export interface AttentionWidgetProperties extends Partial<Settings> {
  linked?: Linked;
  link?: string;
  src?: string | URL | null;
  state?: { [Name in keyof LessonState]?: SettingValue<Name> } | null;
}

type Settings = { [Name in keyof LessonState]: SettingValue<Name> };

/** The element's attributes and properties, by the names that templates use. */
export type AttentionWidgetAttributes = AttentionWidgetProperties & {
  [Name in keyof LessonState as Attribute<Name>]?: SettingValue<Name>;
};

/** Listeners as attributes: onattention-change, for React and Preact. */
export type AttentionWidgetListeners = {
  [Type in keyof AttentionWidgetEventMap as `on${Type}`]?: (event: AttentionWidgetEventMap[Type]) => void;
};

/** The same with a colon, for Solid and Svelte. */
type ColonListeners = {
  [Type in keyof AttentionWidgetEventMap as `on:${Type}`]?: (event: AttentionWidgetEventMap[Type]) => void;
};

type Own = AttentionWidgetAttributes & AttentionWidgetListeners;
type Over<Base> = Own & Omit<Base, keyof Own>;

// @ts-ignore
type ReactProps = import('react').DetailedHTMLProps<import('react').HTMLAttributes<AttentionWidget>, AttentionWidget>;
// @ts-ignore
type PreactProps = import('preact').HTMLAttributes<AttentionWidget>;
// @ts-ignore
type SolidProps = import('solid-js').JSX.HTMLAttributes<AttentionWidget>;
// @ts-ignore
type SvelteProps = import('svelte/elements').HTMLAttributes<AttentionWidget>;
// @ts-ignore
type VueProps = import('vue').HTMLAttributes & import('vue').ReservedProps;

// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'attention-widget': Over<ReactProps>;
    }
  }
}

// @ts-ignore
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'attention-widget': Over<PreactProps>;
    }
  }
}

// @ts-ignore
declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'attention-widget': Over<SolidProps> & ColonListeners;
    }
  }
}

// @ts-ignore
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'attention-widget': Over<SvelteProps> & ColonListeners;
  }
}

/** Vue's templates write d-k for dK and @attention-change for onAttentionChange. */
interface VueListeners {
  onAttentionChange?: (event: AttentionWidgetEventMap['attention-change']) => void;
  onAttentionCheckpoint?: (event: AttentionWidgetEventMap['attention-checkpoint']) => void;
  onAttentionHomework?: (event: AttentionWidgetEventMap['attention-homework']) => void;
  onAttentionError?: (event: AttentionWidgetEventMap['attention-error']) => void;
}

// @ts-ignore
declare module 'vue' {
  interface GlobalComponents {
    'attention-widget': new () => AttentionWidget & {
      $props: AttentionWidgetProperties & VueListeners & Omit<VueProps, keyof AttentionWidgetProperties>;
    };
  }
}
