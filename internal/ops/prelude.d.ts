/** A node tool: `export const run = async (ctx, args) => ...`. */
export type NodeTool<Args = any, Result = any> = (ctx: Ctx, args: Args) => Result | Promise<Result>;

/** A point of the viewport in CSS pixels, an element by its selector, or a point on an element. */
export type MouseTarget = [x: number, y: number] | { x: number; y: number } | { selector: string; x?: number; y?: number };

/** An option of a select: its value, or what it is found by. */
export type OptionChoice = string | { value: string } | { label: string } | { index: number };

export interface RoleOptions {
  /** The accessible name: equal, or where no name is equal a part of it in any case; or a pattern. */
  name?: string | RegExp;
  /** Only names that are equal. */
  exact?: boolean;
  checked?: boolean;
  disabled?: boolean;
  expanded?: boolean;
  /** The level of a heading. */
  level?: number;
  pressed?: boolean;
  selected?: boolean;
  /** Find what is hidden from assistive technology too. */
  includeHidden?: boolean;
}

export interface FilterOptions {
  hasText?: string | RegExp;
  hasNotText?: string | RegExp;
  has?: string | Locator;
  hasNot?: string | Locator;
}

/** A frame, to look for elements in. */
export type Frame = Pick<Locator, "locator" | "getByRole" | "getByText" | "getByLabel" | "getByPlaceholder" | "getByAltText" | "getByTitle" | "getByTestId" | "frameLocator"> & {
  /** Choose where a selector finds several iframe elements. */
  first(): Frame;
  last(): Frame;
  nth(index: number): Frame;
};

export interface PageRequest {
  url(): string;
  method(): string;
  headers(): Record<string, string>;
  postData(): string | null;
  resourceType(): string;
}

export interface PageResponse {
  url(): string;
  status(): number;
  statusText(): string;
  /** True for a status of 200 to 299. */
  ok(): boolean;
  headers(): Record<string, string>;
  request(): PageRequest;
  body(): Promise<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<any>;
}

export interface PageConsoleMessage {
  type(): string;
  text(): string;
}

export interface PageDialog {
  type(): string;
  message(): string;
  defaultValue(): string;
}

export interface PagePopup {
  targetId: string;
}

export interface PageDownload {
  url(): string;
  suggestedFilename(): string;
  /** Waits for its end. */
  path(): Promise<string>;
  saveAs(path: string): Promise<any>;
}

/** A recording of the page. */
export interface PageRecording {
  path: string;
  width: number;
  height: number;
  /** Ends it, as `await using` does through Symbol.asyncDispose. */
  dispose(): Promise<void>;
}

/** What a failed call is rejected with. */
export interface HelperError extends Error {
  /** The kind of error, as on the wire: "page_error", "policy_denied", "timeout", ... */
  kind: string;
  data?: any;
}
