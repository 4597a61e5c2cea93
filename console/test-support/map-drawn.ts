import { vi } from 'vitest'

/** On a busy machine without a graphics card. */
export const drawnMsMax = 50_000

/** Waits until the map on the page is drawn and stands still. */
export async function untilMapDrawn(timeout = drawnMsMax): Promise<void> {
  await vi.waitUntil(() => document.querySelector('.maplibregl-map')?.ariaBusy === 'false', { timeout })
}
