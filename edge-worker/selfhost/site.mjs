// Lists the pages of a folder for pages.mjs: path, file, headers. make.mjs runs it when it makes the folder.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";

/**
 * Media types of what build/site holds, as the platform sends them. Another file is an error, so that none is ever served
 * with a wrong one; a licence without an end to its name has none, and tiles neither.
 */
const TYPES = {
  "": undefined,
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".bin": "application/octet-stream",
  ".pbf": undefined,
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".ts": "video/mp2t",
};

/** As the platform sends it where `_headers` says nothing. */
const ALWAYS_ASK = "public, max-age=0, must-revalidate";

/** The file with the headers of paths, in the platform's format. */
const HEADERS = "_headers";

/** The file with the paths that lead elsewhere, in the platform's format. */
const REDIRECTS = "_redirects";

/** The platform leaves the end of a page's name out of its path: `/status` is status.html, `/` is index.html. */
const PAGE = ".html";
const INDEX = "index";

/** To another form of the same path, which the platform may change at any time. */
const TEMPORARY = 307;

/** Hexadecimal digits of an ETag: 128 bits tell any two files apart. */
const DIGITS = 32;

/** The pages of `folder` by path: `{ file, headers }`, or `{ redirect, status, headers }` to another path. */
export function pagesOf(folder) {
  const rules = rulesOf(readFileSync(join(folder, HEADERS), "utf8"));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));
  const shown = files.filter((file) => file !== HEADERS && file !== REDIRECTS).sort();
  const redirects = redirectsOf(readFileSync(join(folder, REDIRECTS), "utf8"), rules);
  return Object.fromEntries([...shown.flatMap((file) => routes(folder, file, rules)), ...redirects]);
}

function routes(folder, file, rules) {
  if (!file.endsWith(PAGE)) return [[`/${file}`, page(folder, file, `/${file}`, rules)]];
  const name = `/${file.slice(0, -PAGE.length)}`;
  const isIndex = basename(name) === INDEX;
  const path = isIndex ? name.slice(0, -INDEX.length) : name;
  const others = isIndex ? [`/${file}`, name, path.slice(0, -1)] : [`/${file}`, `${name}/`, `${name}/${INDEX}`, `${name}/${INDEX}${PAGE}`];
  const redirect = (other) => [other, { redirect: path, status: TEMPORARY, headers: headersOf(other, {}, rules) }];
  return [[path, page(folder, file, path, rules)], ...others.filter((other) => other !== "").map(redirect)];
}

/** Reads `_redirects`: a path, where it leads, and the status, in each line. */
function redirectsOf(text, rules) {
  const lines = text.split("\n").filter((line) => line.trim() && !line.startsWith("#"));
  return lines.map((line) => {
    const [path, redirect, status] = line.trim().split(/\s+/);
    if (!status || /[*:]/.test(path)) throw new Error(`_redirects: edge-worker/selfhost/site.mjs does not know the form of ${JSON.stringify(line)}`);
    return [path, { redirect, status: Number(status), headers: headersOf(path, {}, rules) }];
  });
}

function page(folder, file, path, rules) {
  const end = extname(file);
  if (!(end in TYPES)) throw new Error(`${file}: add the media type of ${end} to edge-worker/selfhost/site.mjs`);
  const digest = createHash("sha256").update(readFileSync(join(folder, file))).digest("hex").slice(0, DIGITS);
  return { file, headers: headersOf(path, { ...typed(end), "cache-control": ALWAYS_ASK, etag: `"${digest}"` }, rules) };
}

const typed = (end) => (TYPES[end] ? { "content-type": TYPES[end] } : {});

/** The headers `own`, changed by the rules for `path`. */
function headersOf(path, own, rules) {
  const headers = { ...own };
  for (const rule of rules.filter(({ pattern }) => pattern.test(path))) {
    for (const name of rule.removed) delete headers[name];
    Object.assign(headers, Object.fromEntries(rule.set));
  }
  return headers;
}

/** Reads `_headers`: a path with `*` for anything, then its headers, each indented; `! Name` removes one. */
function rulesOf(text) {
  const rules = [];
  for (const line of text.split("\n").filter((line) => line.trim() && !line.startsWith("#"))) {
    if (/^\S/.test(line)) rules.push({ pattern: glob(line.trim()), set: [], removed: [] });
    else if (line.trim().startsWith("!")) rules.at(-1).removed.push(line.trim().slice(1).trim().toLowerCase());
    else rules.at(-1).set.push(header(line));
  }
  return rules;
}

function header(line) {
  const [, name, value] = line.match(/^\s*([\w-]+):\s*(.*)$/) ?? [];
  if (!name) throw new Error(`_headers: no header in ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

const glob = (path) => new RegExp(`^${path.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
