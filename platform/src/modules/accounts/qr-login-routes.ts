import { accounts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { formatCookie } from '../../kernel/http/cookies.ts'
import { type ConsoleOriginSource, findPublicOrigin } from '../brands/index.ts'
import { findPlace } from '../geo-ip/index.ts'
import * as service from './qr-login-service.ts'
import type { SessionCookies } from './session-cookies.ts'
import type { SignInDeps } from './sign-in-service.ts'

/**
 * The address that a phone opens: on a brand's own host, or the public address. Without a public address, only the
 * path: the page has its own host, and the Host header of the request may be forged.
 */
export function formatQrUrl(
  source: Omit<ConsoleOriginSource, 'https'>,
  host: string,
  qrToken: string,
): string {
  return `${findPublicOrigin(source, host) ?? ''}/qr/${qrToken}`
}

/** Signing in by a QR code that a phone confirms. */
export function qrLoginRoutes(
  deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'> & ConsoleOriginSource,
  session: SessionCookies,
): Binding[] {
  const cookieName = deps.https ? '__Host-qr' : 'qr'

  return [
    bind(contract.createQrToken, async (input, context) => {
      const { qrToken, redeemToken } = await service.createQrLogin(deps.db, input, context)
      const expireIn = contract.qrLoginMs / 1000
      const cookie = { secure: deps.https, httpOnly: true, maxAgeS: expireIn }
      context.setHeader('set-cookie', formatCookie(cookieName, redeemToken, cookie))
      return { qrToken, qrUrl: formatQrUrl(deps, context.host, qrToken), expireIn }
    }),

    bind(contract.checkQrLogin, async (input, context) => {
      const given = { ...input, redeemToken: context.cookie(cookieName) }
      const { state, name, opened } = await service.checkQrLogin(deps, given, context)
      if (opened) {
        session.set(context, opened)
        context.setHeader(
          'set-cookie',
          formatCookie(cookieName, '', { secure: deps.https, httpOnly: true, maxAgeS: 0 }),
        )
      }
      return {
        state: contract.qrStates[state],
        ...(name ? { name } : {}),
        ...(opened ? { token: opened.token, userid: opened.userId } : {}),
      }
    }),

    bind(contract.scanQrLogin, async ({ qrToken }, context) => {
      const { terminalName, address } = await service.scanQrLogin(deps, context, context.brand.id, qrToken)
      const { lang, brand } = context
      return { brand: brand.platformName[lang], terminalName, ip: address, place: findPlace(address, lang) }
    }),

    bind(contract.confirmQrLogin, async (input, context) => {
      await service.confirmQrLogin(deps, context, context.brand.id, input)
      return {}
    }),
  ]
}
