// Promises are awaited, and only a return of the top level makes statements.
await open("/second");
same(await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve("waited"), 50))), "waited", "a promise");
same(await page.evaluate("Promise.resolve(4)"), 4, "the promise of an expression");
same(await page.evaluate("'return of the tea'"), "return of the tea", "the word in a string");
same(await page.evaluate("/* return nothing */ 6"), 6, "the word in a comment");
same(await page.evaluate("var returned = 7; returned"), 7, "the word in a name");
same(await page.evaluate("[1, 2].map(function (x) { return x * 2 })"), [2, 4], "a return in a function");
await fails(() => page.evaluate("throw 'primitive boom'"), "primitive boom");
await fails(() => page.evaluate(() => Promise.reject("primitive boom")), "primitive boom");
await done();
