// What egod gives to tools and agent scripts, for editors and the TypeScript
// compiler. Made by "egod types" from the table of operations: do not edit.
//
// Put this file beside your packs with a jsconfig.json that holds {}. A tool that
// begins with "// @ts-check" gets completion and errors from a comment:
//
//   /** @param {import("egod").Ctx} ctx */
//   export async function run(ctx, args) { ... }

declare module "egod" {
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

  /** What a node tool gets as its first argument. */
  export interface Ctx {
    /** The current page of the task space. Times are milliseconds; waits answer true or false instead of failing. */
    page: Page;
    /** The tabs of the task space. */
    browser: Browser;
    /** Named sets of tabs, who has control of them, and which one this run uses. */
    taskSpaces: TaskSpaces;
    /** The skills there are for sites, and their tools. */
    site: Site;
    /** HTTP from the daemon (server) or from the page (browser). Timeouts are in seconds. */
    fetch: Fetch;
    /**
     * Send a DevTools command to the page, or to the browser for Target and Browser commands.
     * @param method - Domain.name
     * @param params - parameters of the command
     * @param sessionId - a session of this page; the page's own when left out
     */
    cdp(method: string, params?: object, sessionId?: string): Promise<any>;
    /**
     * Return the texts of facades and functions by name, or an overview, at once and not as a promise.
     */
    help(...names: string[]): string;
  }

  /** The current page of the task space. Times are milliseconds; waits answer true or false instead of failing. */
  export interface Page {
    keyboard: PageKeyboard;
    mouse: PageMouse;
    screencast: PageScreencast;
    /**
     * Accept the dialog that is open (with --dialog manual).
     * @param text - what a prompt returns
     */
    acceptDialog(text?: string): Promise<void>;
    /**
     * Check a checkbox or radio button.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    check(selector: string | Locator, options?: LocatorCheckOptions): Promise<void>;
    /**
     * Click the element once it is visible, stable, enabled and not covered.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    click(selector: string | Locator, options?: LocatorClickOptions): Promise<void>;
    /**
     * Click the element twice.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    dblclick(selector: string | Locator, options?: LocatorDblclickOptions): Promise<void>;
    /**
     * Dismiss the dialog that is open (with --dialog manual).
     */
    dismissDialog(): Promise<void>;
    /**
     * Return the DevTools events of the page since the last call.
     */
    drainEvents(): Promise<RawEvent[]>;
    /**
     * Return the point that a click on the element would hit, and the DevTools session for cdp that it counts in, without waiting.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    elementCenter(selector: string | Locator): Promise<ElementPoint>;
    /**
     * Run a function or an expression in the page and return its value.
     * @param pageFunction - source of a function, or an expression
     * @param arg - value passed to the function
     */
    evaluate<R, A = undefined>(pageFunction: (arg: A) => R, arg?: A): Promise<Awaited<R>>;
    evaluate(expression: string, targetId?: string): Promise<any>;
    /**
     * Replace the text of an input, textarea or contenteditable element.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     * @param value - the text
     */
    fill(selector: string | Locator, value: string, options?: LocatorFillOptions): Promise<void>;
    /**
     * Give the element the keyboard focus.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    focus(selector: string | Locator, options?: LocatorFocusOptions): Promise<void>;
    /**
     * A frame by its name or a part of its address, to look for elements in.
     */
    frame(nameOrUrl: string): Frame;
    /**
     * The frame of the iframe element that a selector finds.
     */
    frameLocator(selector: string | Locator): Frame;
    /**
     * Return an attribute of the matching element, or null when it has none.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     * @param name - name of the attribute
     */
    getAttribute(selector: string | Locator, name: string, options?: LocatorGetAttributeOptions): Promise<string | null>;
    /**
     * Find images by their alternative text.
     */
    getByAltText(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find fields by their label.
     */
    getByLabel(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find fields by their placeholder.
     */
    getByPlaceholder(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find elements by their role and name in the accessibility tree.
     */
    getByRole(role: string, options?: RoleOptions): Locator;
    /**
     * Find elements by their data-testid.
     */
    getByTestId(id: string | RegExp): Locator;
    /**
     * Find elements by their text.
     */
    getByText(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find elements by their title.
     */
    getByTitle(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Navigate the current page and wait for it to load.
     * @param url - address to open: http, https or about:blank
     */
    goto(url: string, options?: PageGotoOptions): Promise<GotoResult>;
    /**
     * Move the mouse over the element.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    hover(selector: string | Locator, options?: LocatorHoverOptions): Promise<void>;
    /**
     * Return the page's URL, title, viewport, scroll position and size, or the dialog that is open.
     */
    info(): Promise<Info>;
    /**
     * Return the text of the element as it is rendered.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    innerText(selector: string | Locator, options?: LocatorInnerTextOptions): Promise<string>;
    /**
     * Return the value of an input, textarea or select.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    inputValue(selector: string | Locator, options?: LocatorInputValueOptions): Promise<string>;
    /**
     * Tell whether a checkbox or radio button is checked.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    isChecked(selector: string | Locator, options?: LocatorIsCheckedOptions): Promise<boolean>;
    /**
     * Tell whether the element can be used.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    isEnabled(selector: string | Locator): Promise<boolean>;
    /**
     * Tell whether the element takes space and is not hidden.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    isVisible(selector: string | Locator): Promise<boolean>;
    /**
     * Find elements by a selector.
     */
    locator(selector: string | Locator, options?: FilterOptions): Locator;
    /**
     * Focus the element and press a key or a combination such as Control+A.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     * @param key - a key, or keys joined by + with the modifiers first
     */
    press(selector: string | Locator, key: string, options?: LocatorPressOptions): Promise<void>;
    /**
     * Reload the current page; true when it loaded in time.
     */
    reload(options?: PageReloadOptions): Promise<boolean>;
    /**
     * Capture the viewport, the whole page or a part of it, and return the path of the image.
     */
    screenshot(options?: PageScreenshotOptions): Promise<string>;
    /**
     * Choose options of a select and return the chosen values.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     * @param values - a value, {value}, {label} or {index}, or an array of them
     */
    selectOption(selector: string | Locator, values: OptionChoice | OptionChoice[], options?: LocatorSelectOptionOptions): Promise<string[]>;
    /**
     * Set how long operations on elements wait in the rest of the run.
     * @param timeoutMs - milliseconds; 0 looks once and does not wait
     */
    setDefaultTimeout(timeoutMs: number): Promise<void>;
    /**
     * Give a file input the files at these paths.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     * @param files - a path, or an array of paths, or the path of a directory for an input with webkitdirectory; they must lie below --allow-fs
     */
    setInputFiles(selector: string | Locator, files: string | string[], options?: LocatorSetInputFilesOptions): Promise<void>;
    /**
     * Return the page as text, a line for each node of its accessibility tree.
     */
    snapshot(options?: PageSnapshotOptions): Promise<string>;
    /**
     * Return the page as text together with the elements that its refs name.
     */
    snapshotRaw(options?: PageSnapshotRawOptions): Promise<Snapshot>;
    /**
     * Return the text of the element, hidden parts included.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    textContent(selector: string | Locator, options?: LocatorTextContentOptions): Promise<string | null>;
    /**
     * Return the page's title.
     */
    title(): Promise<string>;
    /**
     * Uncheck a checkbox.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    uncheck(selector: string | Locator, options?: LocatorUncheckOptions): Promise<void>;
    /**
     * Return the page's URL.
     */
    url(): Promise<string>;
    /**
     * Wait for a download, dialog, popup or console message that comes after the call.
     */
    waitForEvent(event: "download", options?: {timeout?: number}): Promise<PageDownload>;
    waitForEvent(event: "dialog", options?: {timeout?: number}): Promise<PageDialog>;
    waitForEvent(event: "popup", options?: {timeout?: number}): Promise<PagePopup>;
    waitForEvent(event: "console", options?: {timeout?: number}): Promise<PageConsoleMessage>;
    /**
     * Evaluate a function until its value is truthy and return the value; false when it was not in time.
     * @param pageFunction - source of a function, or an expression
     * @param arg - value passed to the function
     */
    waitForFunction<R, A = undefined>(pageFunction: string | ((arg: A) => R), arg?: A, options?: PageWaitForFunctionOptions): Promise<Awaited<R> | false>;
    waitForFunction(pageFunction: string | (() => any), options: PageWaitForFunctionOptions): Promise<any>;
    /**
     * Wait until the page reached a load state; false when it did not in time.
     * @param state - load (default), domcontentloaded or networkidle
     */
    waitForLoadState(state?: "load" | "domcontentloaded" | "networkidle", options?: PageWaitForLoadStateOptions): Promise<boolean>;
    waitForLoadState(options: PageWaitForLoadStateOptions): Promise<boolean>;
    /**
     * Wait for a request that begins after the call; an error when none comes in time.
     */
    waitForRequest(match?: string | RegExp | ((request: PageRequest) => boolean), options?: {timeout?: number}): Promise<PageRequest>;
    /**
     * Wait for a response that comes after the call; an error when none comes in time.
     */
    waitForResponse(match?: string | RegExp | ((response: PageResponse) => boolean), options?: {timeout?: number}): Promise<PageResponse>;
    /**
     * Wait for an element; false when it did not come in time.
     * @param selector - what to find: CSS, xpath=..., or another form of docs/helpers.md
     */
    waitForSelector(selector: string, options?: PageWaitForSelectorOptions): Promise<boolean>;
    /**
     * Wait for a time.
     * @param timeoutMs - milliseconds to wait; 1000 when left out
     */
    waitForTimeout(timeoutMs?: number): Promise<void>;
    /**
     * Wait until the page has an address and loaded; false when it did not in time.
     * @param url - the whole address; with * (not /) and ** (anything) a pattern
     */
    waitForURL(url: string | RegExp | ((url: URL) => boolean | Promise<boolean>), options?: PageWaitForURLOptions): Promise<boolean>;
  }

  export interface PageKeyboard {
    /**
     * Hold a key down.
     * @param key - a key, or keys joined by + with the modifiers first
     */
    down(key: string): Promise<void>;
    /**
     * Put text where the focus is, without key events.
     * @param text - the text
     */
    insertText(text: string): Promise<void>;
    /**
     * Press a key or a combination such as Control+A.
     * @param key - a key, or keys joined by + with the modifiers first
     */
    press(key: string, options?: PageKeyboardPressOptions): Promise<void>;
    /**
     * Type a text key by key.
     * @param text - the text
     */
    type(text: string, options?: PageKeyboardTypeOptions): Promise<void>;
    /**
     * Let a key go.
     * @param key - a key, or keys joined by + with the modifiers first
     */
    up(key: string): Promise<void>;
  }

  export interface PageMouse {
    /**
     * Click at a point of the viewport or on an element.
     * @param target - [x, y], {x, y}, {selector} or {selector, x, y}
     */
    click(target: MouseTarget, options?: PageMouseClickOptions): Promise<void>;
    click(x: number, y: number, options?: PageMouseClickOptions): Promise<void>;
    /**
     * Click twice at a point of the viewport or on an element.
     * @param target - [x, y], {x, y}, {selector} or {selector, x, y}
     */
    dblclick(target: MouseTarget, options?: PageMouseDblclickOptions): Promise<void>;
    dblclick(x: number, y: number, options?: PageMouseDblclickOptions): Promise<void>;
    /**
     * Press a mouse button where the mouse is.
     */
    down(options?: PageMouseDownOptions): Promise<void>;
    /**
     * Press at the first point, move over the others, and release at the last.
     * @param points - two points or more: [x, y], {x, y}, {selector} or a selector
     */
    drag(points: (MouseTarget | string)[], options?: PageMouseDragOptions): Promise<void>;
    /**
     * Move the mouse to a point of the viewport.
     * @param x - CSS pixels from the left
     * @param y - CSS pixels from the top
     */
    move(x: number, y: number): Promise<void>;
    /**
     * Release a mouse button where the mouse is.
     */
    up(options?: PageMouseUpOptions): Promise<void>;
    /**
     * Turn the mouse wheel at a point of the viewport.
     * @param dx - CSS pixels to the right
     * @param dy - CSS pixels down; 300 when left out
     */
    wheel(dx?: number, dy?: number, options?: PageMouseWheelOptions): Promise<void>;
  }

  export interface PageScreencast {
    /**
     * Begin to record the page to a WebM film with ffmpeg; it ends with stop, with the script or tool that began it, with its tab or its task space, and after an hour.
     */
    start(options?: PageScreencastStartOptions): Promise<PageRecording>;
    /**
     * End the recording and return the path of the film, or null when nothing was recorded.
     */
    stop(): Promise<string | null>;
  }

  /** What page.locator and the getBy functions return: a way to find an element, looked up anew by every call. An action waits for exactly one element that is ready for it. */
  export interface Locator {
    /** What the locator is, as text: it may be given wherever a selector is taken. */
    readonly selector: string;
    /**
     * Return the rendered texts of all matching elements.
     */
    allInnerTexts(): Promise<string[]>;
    /**
     * Return the texts of all matching elements.
     */
    allTextContents(): Promise<string[]>;
    /**
     * Take the keyboard focus off the element.
     */
    blur(options?: LocatorBlurOptions): Promise<void>;
    /**
     * Return where the element is in the viewport, or null when it takes no space.
     */
    boundingBox(options?: LocatorBoundingBoxOptions): Promise<Box | null>;
    /**
     * Check a checkbox or radio button.
     */
    check(options?: LocatorCheckOptions): Promise<void>;
    /**
     * Empty an input, textarea or contenteditable element.
     */
    clear(options?: LocatorClearOptions): Promise<void>;
    /**
     * Click the element once it is visible, stable, enabled and not covered.
     */
    click(options?: LocatorClickOptions): Promise<void>;
    /**
     * The frame of an iframe element, to look for elements in.
     */
    contentFrame(): Frame;
    /**
     * Count the matching elements.
     */
    count(): Promise<number>;
    /**
     * Click the element twice.
     */
    dblclick(options?: LocatorDblclickOptions): Promise<void>;
    /**
     * Send a made-up event to the element.
     * @param type - type of the event, such as input
     * @param eventInit - members of the event
     */
    dispatchEvent(type: string, eventInit?: any, options?: LocatorDispatchEventOptions): Promise<void>;
    /**
     * Drag the element onto another.
     * @param target - selector of the element to drop on
     */
    dragTo(target: string | Locator, options?: LocatorDragToOptions): Promise<void>;
    /**
     * Call a function in the page with the matching element and an argument.
     * @param pageFunction - source of a function that gets (element, arg)
     * @param arg - value passed to the function
     */
    evaluate<R, A = undefined>(pageFunction: string | ((element: any, arg: A) => R), arg?: A, options?: LocatorEvaluateOptions): Promise<Awaited<R>>;
    /**
     * Call a function in the page with all matching elements and an argument.
     * @param pageFunction - source of a function that gets (elements, arg)
     * @param arg - value passed to the function
     */
    evaluateAll<R, A = undefined>(pageFunction: string | ((elements: any[], arg: A) => R), arg?: A): Promise<Awaited<R>>;
    /**
     * Replace the text of an input, textarea or contenteditable element.
     * @param value - the text
     */
    fill(value: string, options?: LocatorFillOptions): Promise<void>;
    /**
     * Keep the elements with a text or with another element inside.
     */
    filter(options: FilterOptions): Locator;
    /**
     * The first of the elements.
     */
    first(): Locator;
    /**
     * Give the element the keyboard focus.
     */
    focus(options?: LocatorFocusOptions): Promise<void>;
    /**
     * The frame of the iframe element that a selector finds inside.
     */
    frameLocator(selector: string | Locator): Frame;
    /**
     * Return an attribute of the matching element, or null when it has none.
     * @param name - name of the attribute
     */
    getAttribute(name: string, options?: LocatorGetAttributeOptions): Promise<string | null>;
    /**
     * Find images by their alternative text.
     */
    getByAltText(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find fields by their label.
     */
    getByLabel(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find fields by their placeholder.
     */
    getByPlaceholder(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find elements by their role and name in the accessibility tree.
     */
    getByRole(role: string, options?: RoleOptions): Locator;
    /**
     * Find elements by their data-testid.
     */
    getByTestId(id: string | RegExp): Locator;
    /**
     * Find elements by their text.
     */
    getByText(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Find elements by their title.
     */
    getByTitle(text: string | RegExp, options?: {exact?: boolean}): Locator;
    /**
     * Move the mouse over the element.
     */
    hover(options?: LocatorHoverOptions): Promise<void>;
    /**
     * Return the markup inside the element.
     */
    innerHTML(options?: LocatorInnerHTMLOptions): Promise<string>;
    /**
     * Return the text of the element as it is rendered.
     */
    innerText(options?: LocatorInnerTextOptions): Promise<string>;
    /**
     * Return the value of an input, textarea or select.
     */
    inputValue(options?: LocatorInputValueOptions): Promise<string>;
    /**
     * Tell whether a checkbox or radio button is checked.
     */
    isChecked(options?: LocatorIsCheckedOptions): Promise<boolean>;
    /**
     * Tell whether the element is missing or disabled.
     */
    isDisabled(): Promise<boolean>;
    /**
     * Tell whether text can be put into the element.
     */
    isEditable(): Promise<boolean>;
    /**
     * Tell whether the element can be used.
     */
    isEnabled(): Promise<boolean>;
    /**
     * Tell whether the element is missing or not visible.
     */
    isHidden(): Promise<boolean>;
    /**
     * Tell whether the element takes space and is not hidden.
     */
    isVisible(): Promise<boolean>;
    /**
     * The last of the elements.
     */
    last(): Locator;
    /**
     * Find elements by a selector.
     */
    locator(selector: string | Locator, options?: FilterOptions): Locator;
    /**
     * The element at an index, from zero; a negative one counts from the end.
     */
    nth(index: number): Locator;
    /**
     * Focus the element and press a key or a combination such as Control+A.
     * @param key - a key, or keys joined by + with the modifiers first
     */
    press(key: string, options?: LocatorPressOptions): Promise<void>;
    /**
     * Focus the element and type a text key by key.
     * @param text - what to type
     */
    pressSequentially(text: string, options?: LocatorPressSequentiallyOptions): Promise<void>;
    /**
     * Capture the element and return the path of the image.
     */
    screenshot(options?: LocatorScreenshotOptions): Promise<string>;
    /**
     * Scroll the element into view.
     */
    scrollIntoViewIfNeeded(options?: LocatorScrollIntoViewIfNeededOptions): Promise<void>;
    /**
     * Choose options of a select and return the chosen values.
     * @param values - a value, {value}, {label} or {index}, or an array of them
     */
    selectOption(values: OptionChoice | OptionChoice[], options?: LocatorSelectOptionOptions): Promise<string[]>;
    /**
     * Check or uncheck a checkbox.
     * @param checked - whether it shall be checked
     */
    setChecked(checked: boolean, options?: LocatorSetCheckedOptions): Promise<void>;
    /**
     * Give a file input the files at these paths.
     * @param files - a path, or an array of paths, or the path of a directory for an input with webkitdirectory; they must lie below --allow-fs
     */
    setInputFiles(files: string | string[], options?: LocatorSetInputFilesOptions): Promise<void>;
    /**
     * Return the text of the element, hidden parts included.
     */
    textContent(options?: LocatorTextContentOptions): Promise<string | null>;
    /**
     * Uncheck a checkbox.
     */
    uncheck(options?: LocatorUncheckOptions): Promise<void>;
    /**
     * Wait until the element is in a state; false when it is not in time.
     */
    waitFor(options?: LocatorWaitForOptions): Promise<boolean>;
  }

  /** The tabs of the task space. */
  export interface Browser {
    /**
     * Close a tab, by default the active one, and return its id.
     * @param target - id of a tab, or an object with targetId; the active tab when left out
     */
    closeTab(target?: string | {targetId: string}): Promise<string>;
    /**
     * Return the active tab of the space.
     */
    currentTab(): Promise<Tab>;
    /**
     * Switch to a tab that shows a web page; null when there is none.
     */
    ensureRealTab(): Promise<Tab | null>;
    /**
     * Return the target id of an out-of-process frame whose address contains a text, or null.
     * @param url - a part of the frame's address
     */
    iframeTarget(url: string): Promise<string | null>;
    /**
     * List the tabs of the space.
     */
    listTabs(options?: BrowserListTabsOptions): Promise<Tab[]>;
    /**
     * Switch to a tab that shows a URL, or open one.
     * @param url - address to show: http, https or about:blank
     */
    openOrReuseTab(url: string, options?: BrowserOpenOrReuseTabOptions): Promise<OpenedTab>;
    /**
     * Make a tab of the space the current one and return its id.
     * @param target - id of a tab, or an object with targetId
     */
    switchTab(target: string | {targetId: string}): Promise<string>;
  }

  /** Named sets of tabs, who has control of them, and which one this run uses. */
  export interface TaskSpaces {
    /**
     * Take a task space for the agent, and select it.
     * @param target - name or number of the task space
     */
    claim(target: string | number): Promise<TaskSpace>;
    /**
     * Finish with a task space: leave it to the user, or close it with its tabs.
     * @param target - name or number of the task space
     * @param options - {keep: true} leaves it open, {keep: false} closes it with its tabs
     */
    complete(target: string | number, options: {keep: boolean}): Promise<SpaceDone>;
    /**
     * Lend control of a task space to the user.
     * @param target - name or number of the task space; the selected one when left out
     */
    handOff(target?: string | number): Promise<SpaceDone>;
    /**
     * List the task spaces with their owners and recent tabs.
     */
    list(): Promise<TaskSpace[]>;
    /**
     * Make a task space whose name is new, and select it.
     * @param name - a name that no task space has yet
     */
    "new"(name: string): Promise<TaskSpace>;
    /**
     * Select a task space that the agent owns.
     * @param target - name or number of the task space
     */
    switch(target: string | number): Promise<TaskSpace>;
    /**
     * Take control of a task space back.
     * @param target - name or number of the task space; the selected one when left out
     */
    takeOver(target?: string | number): Promise<void>;
    /**
     * Select a task space by name or number, making one when a name is new.
     * @param target - name or number of the task space
     */
    useOrCreate(target: string | number): Promise<TaskSpace>;
    /**
     * Wait until the agent has control of a task space.
     * @param target - name or number of the task space; the selected one when left out
     */
    waitForAgentControl(target?: string | number, options?: TaskSpacesWaitForAgentControlOptions): Promise<void>;
  }

  /** The skills there are for sites, and their tools. */
  export interface Site {
    /**
     * Return the notes and tools that match a URL, or the current page.
     * @param url - a URL or host name; the current page of the space when left out
     */
    learnContext(url?: string, options?: SiteLearnContextOptions): Promise<LearnedContext>;
    /**
     * Run a browser tool of a pack in the current page and return its bare value.
     * @param siteId - id of the pack
     * @param toolName - name of the tool in the manifest
     * @param args - the tool's arguments, checked against the manifest
     */
    runBrowserTool(siteId: string, toolName: string, args?: object): Promise<any>;
    /**
     * Run a node tool of a pack and return its bare value.
     * @param siteId - id of the pack
     * @param toolName - name of the tool in the manifest
     * @param args - the tool's arguments, checked against the manifest
     */
    runTool(siteId: string, toolName: string, args?: object): Promise<any>;
    /**
     * List the skills that match a URL, or the current page.
     * @param url - a URL or host name; the current page when left out
     */
    skills(url?: string): Promise<SkillEntry[]>;
    /**
     * List the skills that match a URL or host name.
     * @param url - a URL or host name
     */
    skillsForUrl(url: string): Promise<SkillEntry[]>;
  }

  /** HTTP from the daemon (server) or from the page (browser). Timeouts are in seconds. */
  export interface Fetch {
    /**
     * Fetch a URL from the current page, with its cookies and its rules, and return the text of the answer.
     * @param url - what to fetch: http or https; in a page it may be relative
     */
    browser(url: string | URL, options?: FetchBrowserOptions): Promise<string>;
    /**
     * Fetch a URL from the daemon, without a browser, and return the text of the answer.
     * @param url - what to fetch: http or https; in a page it may be relative
     */
    server(url: string | URL, options?: FetchServerOptions): Promise<string>;
  }

  export interface Tab {
    targetId: string;
    title: string;
    url: string;
    active: boolean;
    index: number;
  }

  export interface BrowserListTabsOptions {
    /** also list about: and chrome: tabs; true when left out */
    includeChrome?: boolean;
  }

  export interface BrowserOpenOrReuseTabOptions {
    /** how a tab is recognised: exact (default), origin, origin+path or includes */
    match?: "exact" | "origin" | "origin+path" | "includes";
    /** wait for the load: by default only for a new tab */
    wait?: boolean;
    /** milliseconds to wait for the load; 20000 when left out */
    timeout?: number;
    /** milliseconds to wait after the load */
    settle?: number;
  }

  export interface OpenedTab {
    targetId: string;
    title: string;
    url: string;
    active: boolean;
    index: number;
    reused: boolean;
  }

  export interface FetchBrowserOptions {
    /** GET when left out */
    method?: string;
    /** header fields by name; those of the connection are the client's own */
    headers?: Record<string, string | number | string[]> | [string, string][];
    /** text to send */
    body?: string | URLSearchParams | ArrayBuffer | ArrayBufferView;
    /** seconds for the whole exchange; 20 when left out */
    timeout?: number;
    /** what a redirect does: follow (default), error or manual */
    redirect?: "follow" | "error" | "manual";
    /** which cookies are sent: same-origin (default), include or omit */
    credentials?: string;
    /** how other origins are asked: cors (default), no-cors or same-origin */
    mode?: string;
    /** how the browser's cache is used: default, no-store, reload, ... */
    cache?: string;
    /** a URL of the page's origin to send as referrer */
    referrer?: string;
    /** ends the wait for the answer */
    signal?: AbortSignal;
  }

  export interface FetchServerOptions {
    /** GET when left out */
    method?: string;
    /** header fields by name; those of the connection are the client's own */
    headers?: Record<string, string | number | string[]> | [string, string][];
    /** text to send */
    body?: string | URLSearchParams | ArrayBuffer | ArrayBufferView;
    /** seconds for the whole exchange; 20 when left out */
    timeout?: number;
    /** what a redirect does: follow (default), error or manual */
    redirect?: "follow" | "error" | "manual";
    /** ends the wait for the answer */
    signal?: AbortSignal;
  }

  export interface LocatorBlurOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorBoundingBoxOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
  }

  export interface LocatorCheckOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorClearOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorClickOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: "left" | "right" | "middle";
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorDblclickOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: "left" | "right" | "middle";
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorDispatchEventOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorDragToOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: string;
    /** milliseconds after each move */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    sourcePosition?: {x: number, y: number};
    /** where on the target, from its top left corner; its middle when left out */
    targetPosition?: {x: number, y: number};
    /** do not wait for the elements to be ready */
    force?: boolean;
    /** wait for the elements to be ready, and do nothing */
    trial?: boolean;
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorEvaluateOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorFillOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** false inserts at the caret; true when left out */
    clearFirst?: boolean;
  }

  export interface LocatorFocusOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorGetAttributeOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorHoverOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorInnerHTMLOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorInnerTextOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorInputValueOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorIsCheckedOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorPressOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** milliseconds between down and up */
    delay?: number;
  }

  export interface LocatorPressSequentiallyOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** milliseconds between keys */
    delay?: number;
  }

  export interface LocatorScreenshotOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** absolute path of the image, below --allow-fs; a file of the run's own when left out */
    path?: string;
    /** png, jpeg or webp; what the path ends in says when left out, else png */
    type?: "png" | "jpeg" | "webp";
    /** 1 to 100, for jpeg and webp */
    quality?: number;
    /** device pixels instead of one pixel per CSS pixel */
    raw?: boolean;
  }

  export interface LocatorScrollIntoViewIfNeededOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorSelectOptionOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorSetCheckedOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorSetInputFilesOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorTextContentOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface LocatorUncheckOptions {
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** where on the element, from its top left corner; its middle when left out */
    position?: {x: number, y: number};
    /** do not wait for the element to be ready */
    force?: boolean;
    /** wait for the element to be ready, and do nothing */
    trial?: boolean;
    /** keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta */
    modifiers?: string[];
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface LocatorWaitForOptions {
    /** attached (default), visible, hidden or detached */
    state?: "attached" | "visible" | "hidden" | "detached";
    /** milliseconds; 10000 when left out */
    timeout?: number;
  }

  export interface RawEvent {
    method: string;
    params: any;
    sessionId: string;
  }

  export interface ElementPoint {
    x: number;
    y: number;
    sessionId: string;
  }

  export interface PageGotoOptions {
    /** load (default), domcontentloaded or commit */
    waitUntil?: "load" | "domcontentloaded" | "commit";
    /** milliseconds to wait for the load; 20000 when left out */
    timeout?: number;
    /** milliseconds to wait after the load */
    settle?: number;
  }

  export interface Navigation {
    frameId: string;
    loaderId?: string;
    errorText?: string;
    isDownload: boolean;
  }

  export interface GotoResult {
    navigation: Navigation;
    loaded: boolean;
  }

  export interface DialogInfo {
    url: string;
    message: string;
    type: string;
    defaultPrompt: string;
  }

  export interface Info {
    url: string;
    title: string;
    w: number;
    h: number;
    sx: number;
    sy: number;
    pw: number;
    ph: number;
    dialog?: DialogInfo;
  }

  export interface PageKeyboardPressOptions {
    /** milliseconds between down and up */
    delay?: number;
  }

  export interface PageKeyboardTypeOptions {
    /** milliseconds between keys */
    delay?: number;
  }

  export interface PageMouseClickOptions {
    /** left (default), right or middle */
    button?: "left" | "right" | "middle";
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** taken for the original's sake; it has no effect */
    label?: string;
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface PageMouseDblclickOptions {
    /** left (default), right or middle */
    button?: "left" | "right" | "middle";
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** taken for the original's sake; it has no effect */
    label?: string;
    /** milliseconds to wait for the element; 10000 when left out */
    timeout?: number;
  }

  export interface PageMouseDownOptions {
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface PageMouseDragOptions {
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** taken for the original's sake; it has no effect */
    label?: string;
    /** milliseconds to wait for elements; 10000 when left out */
    timeout?: number;
  }

  export interface PageMouseUpOptions {
    /** left (default), right or middle */
    button?: string;
    /** the count the page sees; 1 when left out */
    clickCount?: number;
    /** milliseconds between press and release */
    delay?: number;
    /** taken for the original's sake; it has no effect */
    label?: string;
  }

  export interface PageMouseWheelOptions {
    /** where the pointer is, in CSS pixels from the left */
    x?: number;
    /** where the pointer is, in CSS pixels from the top */
    y?: number;
  }

  export interface PageReloadOptions {
    /** load everything anew */
    ignoreCache?: boolean;
    /** load (default), domcontentloaded, networkidle or commit */
    waitUntil?: "load" | "domcontentloaded" | "networkidle" | "commit";
    /** milliseconds to wait for the load; 15000 when left out */
    timeout?: number;
  }

  export interface PageScreencastStartOptions {
    /** absolute path of the film, ending in .webm, below --allow-fs; a file of the run's own when left out */
    path?: string;
    /** size of the film; the viewport, scaled down to fit 800x800, when left out */
    size?: {width: number, height: number};
    /** of its pictures, 0 to 100; 90 when left out */
    quality?: number;
  }

  export interface PageScreenshotOptions {
    /** absolute path of the image, below --allow-fs; a file of the run's own when left out */
    path?: string;
    /** png, jpeg or webp; what the path ends in says when left out, else png */
    type?: "png" | "jpeg" | "webp";
    /** 1 to 100, for jpeg and webp */
    quality?: number;
    /** device pixels instead of one pixel per CSS pixel */
    raw?: boolean;
    /** the whole document instead of the viewport */
    fullPage?: boolean;
    /** part of the document, from its top left corner */
    clip?: {x: number, y: number, width: number, height: number, scale?: number};
  }

  export interface PageSnapshotOptions {
    /** full_page (default), only_within_viewport or subtree */
    scope?: "full_page" | "only_within_viewport" | "subtree";
    /** selector of the element, for the scope subtree */
    root?: string;
    /** false leaves the refs out of the text */
    includeActionMarks?: boolean;
    /** false leaves the locators out of the text */
    includeStableLocator?: boolean;
    /** characters of text, cut at a line; 0 means no limit */
    maxResultLength?: number;
  }

  export interface PageSnapshotRawOptions {
    /** full_page (default), only_within_viewport or subtree */
    scope?: "full_page" | "only_within_viewport" | "subtree";
    /** selector of the element, for the scope subtree */
    root?: string;
    /** false leaves the refs out of the text */
    includeActionMarks?: boolean;
    /** false leaves the locators out of the text */
    includeStableLocator?: boolean;
    /** characters of text, cut at a line; 0 means no limit */
    maxResultLength?: number;
  }

  export interface Ref {
    backendNodeId: number;
    role: string;
    name: string;
    loc?: string;
    frameId?: string;
  }

  export interface Snapshot {
    content: string;
    refs: Ref[];
  }

  export interface PageWaitForFunctionOptions {
    /** milliseconds between two evaluations; 100 when left out */
    polling?: number;
    /** milliseconds; 10000 when left out */
    timeout?: number;
  }

  export interface PageWaitForLoadStateOptions {
    /** milliseconds; 15000 when left out, 10000 for networkidle */
    timeout?: number;
    /** milliseconds without traffic that count as idle; 500 when left out */
    idleMs?: number;
  }

  export interface PageWaitForSelectorOptions {
    /** attached (default), visible, hidden or detached */
    state?: "attached" | "visible" | "hidden" | "detached";
    /** milliseconds; 10000 when left out */
    timeout?: number;
  }

  export interface PageWaitForURLOptions {
    /** load (default), domcontentloaded, networkidle or commit */
    waitUntil?: "load" | "domcontentloaded" | "networkidle" | "commit";
    /** milliseconds; 10000 when left out */
    timeout?: number;
  }

  export interface SiteLearnContextOptions {
    /** the most characters of notes and tools in all; what is left out is named in omitted; 0 means no limit */
    maxChars?: number;
    /** hashes of notes that the caller has: they come without content */
    knownHashes?: string[];
  }

  export interface Knowledge {
    siteId: string;
    fileName: string;
    content: string;
    hash: string;
    unchanged?: boolean;
    truncated?: boolean;
  }

  export interface LearnedTool {
    siteId: string;
    toolName: string;
    toolType: string;
    description: string;
    args: any;
    returns: any;
    example: string;
    cost: "static" | "api" | "browser";
  }

  export interface Omitted {
    siteId: string;
    kind: string;
    name: string;
    chars: number;
  }

  export interface LearnedContext {
    generation: number;
    exists: boolean;
    siteId: string | null;
    siteName: string | null;
    domain: string;
    knowledge: Knowledge[];
    tools: LearnedTool[];
    cost: "static" | "api" | "browser";
    truncated?: boolean;
    omitted?: Omitted[];
    omittedMore?: number;
  }

  export interface SkillMatch {
    pattern: string;
    kind: string;
  }

  export interface SkillEntry {
    id: string;
    name: string;
    path: string;
    root: string;
    domains: string[];
    notes: string[];
    nodeTools: any;
    browserTools: any;
    cost: "static" | "api" | "browser";
    match: SkillMatch;
  }

  export interface TaskSpace {
    taskId: string;
    id: number;
    name: string;
    createdBy: string;
    ownership: string;
    recentTabTitles?: string[];
  }

  export interface SpaceDone {
    done: boolean;
    skipped?: string;
  }

  export interface TaskSpacesWaitForAgentControlOptions {
    /** taken for the original's sake: the wait ends at the change itself */
    interval?: number;
    /** seconds to wait; 600 when left out */
    timeout?: number;
  }
}

// The globals of agent scripts. Tools get the same as members of ctx.

declare const page: import("egod").Page;
declare const browser: import("egod").Browser;
declare const taskSpaces: import("egod").TaskSpaces;
declare const site: import("egod").Site;
declare const cdp: import("egod").Ctx["cdp"];
declare const help: import("egod").Ctx["help"];
declare namespace fetch {
  const server: import("egod").Fetch["server"];
  const browser: import("egod").Fetch["browser"];
}
/** The bridge of the original runtime: ctx, ctx.site, and DevTools messages as text. */
declare const ego: {
  helpers: import("egod").Ctx;
  learnings: import("egod").Site;
  sendCDPMessage(text: string): void;
  onCDPMessage: ((text: string) => void) | null;
};
/** The args of the call that runs the script. */
declare const args: any;
