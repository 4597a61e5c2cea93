/**
 * The kind of device that a session was opened on. `app`: a phone or a tablet; `api`: a program other than a browser.
 */
export const terminalTypes = { pc: 1, app: 2, tv: 3, api: 4 } as const
export type TerminalType = (typeof terminalTypes)[keyof typeof terminalTypes]

/** User agents of browsers on phones and tablets. */
export const mobileAgents = /Mobi|Android|iPhone|iPad|iPod|HarmonyOS|Tablet|Silk/i
/** User agents of browsers on TV boxes; many match `mobileAgents` as well. */
export const tvAgents = /\bTV\b|SmartTV|SMART-TV|Android TV|AppleTV|BRAVIA|AFT[A-Z]|CrKey|TVBox|HbbTV/i
/** Every browser has it in its user agent. */
const browserAgents = /^(?:Mozilla|Opera)\//

/** The kind of device by the user agent; a browser with better information reports it when it signs in. */
export function terminalTypeOf(userAgent: string | undefined): TerminalType {
  if (userAgent === undefined || !browserAgents.test(userAgent)) return terminalTypes.api
  if (tvAgents.test(userAgent)) return terminalTypes.tv
  return mobileAgents.test(userAgent) ? terminalTypes.app : terminalTypes.pc
}
