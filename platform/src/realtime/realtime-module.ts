import type { EdgeLink } from '../edge-link/edge-link.ts'
import { removeOldEvents } from '../kernel/events/user-events.ts'
import { createProxyHost } from '../kernel/http/client-address.ts'
import type { Upgrades } from '../kernel/http/upgrades.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { counter, gauge } from '../kernel/metrics/index.ts'
import type { Module } from '../kernel/module.ts'
import type { AccessPort } from '../modules/access/index.ts'
import { findPushSession, findQrState, isQrToken, qrKey } from '../modules/accounts/index.ts'
import type { BrandsModule } from '../modules/brands/index.ts'
import { RealtimeHub } from './hub.ts'
import { QrSockets } from './qr-sockets.ts'

export interface RealtimeModule extends Module {
  readonly hub: RealtimeHub
  /** Takes over a push socket: of a person, or of a browser that waits for its QR code to be confirmed. */
  readonly accept: Upgrades['push']
}

interface Deps {
  readonly access: AccessPort
  readonly link: EdgeLink
  readonly brands: BrandsModule
}

/** The pages' push sockets. */
export function createRealtimeModule(kernel: Kernel, { access, link, brands }: Deps): RealtimeModule {
  const { config, db, bus, logger, rights, now } = kernel
  const hub = new RealtimeHub({
    db,
    bus,
    logger,
    access,
    rights,
    link,
    findPushSession: (sid, at, host) => findPushSession(db, sid, at, brands.directory.find(host).id),
    now,
  })
  const qrSockets = new QrSockets({
    bus,
    logger,
    keyOf: qrKey,
    findState: (qrToken, at) => findQrState(db, qrToken, at),
    now,
  })
  const hostOf = createProxyHost(config.TRUSTED_PROXIES)
  return {
    name: 'realtime',
    roles: ['realtime'],
    hub,
    accept: (ws, sid, request) =>
      void (isQrToken(sid)
        ? qrSockets.accept(ws, sid)
        : hub.accept(ws, request.socket, sid, hostOf(request))),
    jobs: [{ name: 'realtime.removeOldEvents', everyS: 300, run: () => removeOldEvents(db) }],
    start: () => hub.start(),
    leave: (ms) => hub.leave(ms),
    stop() {
      hub.stop()
      qrSockets.stop()
    },
    metrics() {
      const push = hub.stats()
      return [
        gauge('busbar_push_sockets', 'Open push sockets', push.sockets),
        gauge('busbar_push_channels', 'Different sets of tags that are watched', push.channels),
        gauge('busbar_push_watches', 'Watches of all sockets', push.watches),
        counter('busbar_push_frames_total', 'Frames sent to pages', push.frames),
        counter('busbar_push_bytes_total', 'Bytes of these frames', push.bytes),
        counter('busbar_push_frames_held_back_total', 'Frames a slow page was spared', push.heldBack),
        counter(
          'busbar_push_sockets_given_up_total',
          'Sockets ended because a page did not read',
          push.givenUp,
        ),
      ]
    },
    figures: () => ({ pushSockets: hub.stats().sockets }),
  }
}
