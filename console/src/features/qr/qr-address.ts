const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** What a QR code carries, as an address: the platform gives a path of this page's host where it knows no better. */
export function readQrAddress(qrUrl: string, here: string): { href: string; isOnlyHere: boolean } {
  const { href, hostname } = new URL(qrUrl, here)
  return { href, isOnlyHere: loopback.test(hostname) }
}
