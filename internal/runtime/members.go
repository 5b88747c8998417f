package runtime

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// memberNames are the names of a module that programs can import.
type memberNames struct {
	provided string
	// absent are those that only Node has; their use is an error that names them.
	absent string
}

// moduleMembers has what Node 22 has, without what it prints warnings about.
var moduleMembers = map[string]memberNames{
	"path": {
		"basename delimiter dirname extname format isAbsolute join matchesGlob normalize parse posix relative resolve sep toNamespacedPath",
		"win32",
	},
	"url": {
		"URL URLSearchParams domainToASCII domainToUnicode fileURLToPath format parse pathToFileURL resolve urlToHttpOptions",
		"Url fileURLToPathBuffer resolveObject",
	},
	"util": {
		"TextDecoder TextEncoder callbackify debug debuglog deprecate format formatWithOptions inherits inspect isArray isDeepStrictEqual parseArgs promisify stripVTControlCharacters styleText toUSVString types",
		"MIMEParams MIMEType aborted diff getCallSite getCallSites getSystemErrorMap getSystemErrorMessage getSystemErrorName isBoolean isBuffer isDate isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined log parseEnv setTraceSigInt transferableAbortController transferableAbortSignal",
	},
	"buffer": {
		"Buffer atob btoa constants isAscii isUtf8 kMaxLength kStringMaxLength",
		"Blob File INSPECT_MAX_BYTES SlowBuffer resolveObjectURL transcode",
	},
	"events": {
		"EventEmitter addAbortListener captureRejectionSymbol captureRejections defaultMaxListeners errorMonitor getEventListeners getMaxListeners listenerCount on once setMaxListeners usingDomains",
		"EventEmitterAsyncResource init",
	},
	"timers/promises": {"scheduler setImmediate setInterval setTimeout", ""},
	"crypto": {
		"createHash createHmac getHashes getRandomValues hash randomBytes randomFill randomFillSync randomInt randomUUID subtle timingSafeEqual webcrypto",
		"Certificate Cipher Cipheriv Decipher Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hash Hmac KeyObject Sign Verify X509Certificate checkPrime checkPrimeSync constants createCipheriv createDecipheriv createDiffieHellman createDiffieHellmanGroup createECDH createPrivateKey createPublicKey createSecretKey createSign createVerify diffieHellman generateKey generateKeyPair generateKeyPairSync generateKeySync generatePrime generatePrimeSync getCipherInfo getCiphers getCurves getDiffieHellman getFips hkdf hkdfSync pbkdf2 pbkdf2Sync privateDecrypt privateEncrypt publicDecrypt publicEncrypt scrypt scryptSync secureHeapUsed setEngine setFips sign verify",
	},
	"fs/promises": {
		"access appendFile constants copyFile lstat mkdir mkdtemp readFile readdir realpath rename rm rmdir stat unlink writeFile",
		"chmod chown cp glob lchmod lchown link lutimes open opendir readlink statfs symlink truncate utimes watch",
	},
}

// lacks tells whether a name is one that the module has in Node alone.
func (m memberNames) lacks(name string) bool { return hasWord(m.absent, name) }

func hasWord(list, word string) bool {
	return word != "" && slices.Contains(strings.Fields(list), word)
}

// refuseAbsent makes the members of a module that it lacks: each throws an error
// that names it, when it is read or, where it would be a function, called.
func (r *gojaRealm) refuseAbsent(module string, v goja.Value) error {
	names, known := moduleMembers[module]
	object, ok := v.(*goja.Object)
	if !known || !ok {
		return nil
	}
	return r.behind(object, &lazyObject{has: names.lacks, make: func(name string) goja.Value {
		if !names.lacks(name) {
			return nil
		}
		refuse := func(goja.FunctionCall) goja.Value {
			panic(r.newError("Error", fmt.Sprintf("%s of node:%s is not available in node tools", name, module)))
		}
		if name == "win32" || name == "constants" {
			return refuse(goja.FunctionCall{})
		}
		return r.vm.ToValue(refuse)
	}})
}

var (
	// moduleImport is where the bundler takes members of a module by name.
	moduleImport = regexp.MustCompile(`(?m)^var (import_\w+) = __toESM\((require_\w+)\(\)\);$`)
	moduleWrap   = regexp.MustCompile(`(?m)^var (require_\w+) = __commonJS\(\{\n  "` + nodeNamespace + `:([^"]+)"`)
)

// namedImports are the variables of a bundle that hold a module of the runtime, of
// which the program imports members by name.
func namedImports(code string) map[string]string {
	if !strings.Contains(code, `"`+nodeNamespace+`:`) {
		return nil
	}
	modules := map[string]string{}
	for _, m := range moduleWrap.FindAllStringSubmatch(code, -1) {
		modules[m[1]] = m[2]
	}
	imports := map[string]string{}
	for _, m := range moduleImport.FindAllStringSubmatch(code, -1) {
		if module, ok := modules[m[2]]; ok {
			imports[m[1]] = module
		}
	}
	return imports
}

// absentImport is the problem of a member that is imported and not there.
func absentImport(imports map[string]string, n *ast.DotExpression) (Problem, bool) {
	id, ok := n.Left.(*ast.Identifier)
	if !ok {
		return Problem{}, false
	}
	module := imports[id.Name.String()]
	names, known := moduleMembers[module]
	name := n.Identifier.Name.String()
	if !known || name == "default" || hasWord(names.provided, name) {
		return Problem{}, false
	}
	p := Problem{Code: "tool.import", Message: fmt.Sprintf("node:%s has no member %q", module, name), Column: int(n.Identifier.Idx) - 1}
	if names.lacks(name) {
		p.Message += " in node tools"
	}
	p.Hint = "it has " + strings.ReplaceAll(names.provided, " ", ", ")
	return p, true
}
