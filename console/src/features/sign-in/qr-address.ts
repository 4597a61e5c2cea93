const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** The address that the QR code carries. Without a public address the platform gives a path on this page's host. */
export function readQrAddress(qrUrl: string, here: string): { href: string; isOnlyHere: boolean } {
  const { href, hostname } = new URL(qrUrl, here)
  return { href, isOnlyHere: loopback.test(hostname) }
}
