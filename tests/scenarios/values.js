// Numbers that JSON does not have come back as themselves.
await open("/second");
same(await page.evaluate(() => NaN), NaN, "NaN");
same(await page.evaluate("Infinity"), Infinity, "Infinity");
same(await page.evaluate(() => -Infinity), -Infinity, "-Infinity");
same(await page.evaluate("-0"), -0, "-0");
same(await page.evaluate(() => 9007199254740993n), 9007199254740993n, "a BigInt");
same(await page.evaluate("undefined"), null, "undefined");
same(await page.evaluate((given) => given, undefined), null, "no argument");
same(await page.evaluate(() => ({ a: [1, "zwei", null] })), { a: [1, "zwei", null] }, "an object");
await fails(() => page.evaluate(() => { const a = {}; a.self = a; return a; }), "self");
await done();
