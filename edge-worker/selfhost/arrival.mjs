// Where a request comes from. The platform states the caller's address in a header that no caller can set; here the
// connection states it, or a proxy that the operator trusts. What anybody else claims is dropped.

import ipaddr from "ipaddr.js";

/** The header that the Worker reads, and that only this file sets. */
const CONNECTING_IP = "cf-connecting-ip";

/** What the platform sets and a caller must not: these are removed from every request. */
const OF_THE_PLATFORM = [CONNECTING_IP, "cf-ray", "cf-visitor", "cf-ipcountry", "true-client-ip"];

/** Whether `text` is an address as everybody writes it. The library also reads `1.2.3` and `0x7f000001`. */
const isAddress = (text) => ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);

/** Bits of an address. */
const BITS = { ipv4: 32, ipv6: 128 };

/** Networks of the proxies that may say for whom they ask: addresses and CIDR blocks, separated by spaces or commas. */
export function proxies(text) {
  return (text ?? "").split(/[\s,]+/).filter(Boolean).map(network);
}

function network(text) {
  const [address, bits, ...more] = text.split("/");
  const parsed = isAddress(address) && ipaddr.parse(address);
  const most = parsed && BITS[parsed.kind()];
  if (!parsed || more.length > 0 || !/^\d{1,3}$/.test(bits ?? most) || Number(bits ?? most) > most) {
    throw new Error(`TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8, not "${text}"`);
  }
  return [parsed, Number(bits ?? most)];
}

/** The request with the address and the scheme of the caller. */
export function arrived(request, trusted) {
  const peer = peerOf(request);
  const isProxied = isIn(trusted, peer);
  const { headers } = request;
  const caller = isProxied ? forwarded(headers.get("x-forwarded-for"), trusted) : peer;
  const isSecure = isProxied && headers.get("x-forwarded-proto") === "https";
  const url = isSecure ? request.url.replace(/^http:/, "https:") : request.url;
  const changed = new Request(url, request);
  for (const name of OF_THE_PLATFORM) changed.headers.delete(name);
  if (caller) changed.headers.set(CONNECTING_IP, caller);
  return changed;
}

/** The address at the other end of the connection; workerd states it with its port, as `192.0.2.1:1234` or `[2001:db8::1]:1234`. */
function peerOf(request) {
  return request.cf?.clientIp?.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/**
 * The last address of the chain that is not a trusted proxy's: each proxy appends who asked it, so what stands before is
 * the caller's own claim. Nothing if that is not an address, or if nobody is left.
 */
function forwarded(chain, trusted) {
  const hops = (chain ?? "").split(",").map((hop) => hop.trim());
  const caller = hops.findLast((hop) => !isIn(trusted, hop));
  return isAddress(caller ?? "") ? caller : undefined;
}

function isIn(networks, text) {
  if (networks.length === 0 || !isAddress(text ?? "")) return false;
  // An IPv4 address that arrives mapped into IPv6 is the IPv4 address.
  const address = ipaddr.process(text);
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
