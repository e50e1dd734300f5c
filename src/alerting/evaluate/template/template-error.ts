/** A template that cannot be parsed or expanded. */
export class TemplateError extends Error {}
