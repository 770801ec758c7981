import 'preact';

interface ElementAttributes {
  class?: string;
  ref?: { current: HTMLElement | null };
  'aria-label'?: string;
  children?: preact.ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  onInput?: (event: InputEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

interface ButtonAttributes extends ElementAttributes {
  secondary?: boolean;
  disabled?: boolean;
}

interface TextFieldAttributes extends ElementAttributes {
  value?: string;
  placeholder?: string;
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ButtonAttributes;
      'vscode-textfield': TextFieldAttributes;
    }
  }
}
