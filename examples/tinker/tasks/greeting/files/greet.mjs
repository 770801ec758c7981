// Hello is the old word; see the style guide.
export const greet = (name) => `Hello, ${name}.`;
