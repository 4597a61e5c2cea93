/**
 * The cells and WiFi that a machine hears, by which a service can say where it is: the attributes `cells` and `wifi`,
 * as JSON (`Properties/cells` and `Properties/wifi` hold its text).
 */
export interface ToldCell {
  readonly radio: 'gsm' | 'wcdma' | 'lte' | 'nr'
  readonly mcc: number
  readonly mnc: number
  /** Location area of gsm and wcdma. */
  readonly lac?: number | undefined
  /** Tracking area of lte and nr. */
  readonly tac?: number | undefined
  /** Of gsm, wcdma and lte. */
  readonly cellId?: number | undefined
  /** Of nr; 36 bits. */
  readonly nci?: number | undefined
  readonly signalDbm?: number | undefined
  /** The one that the modem uses. */
  readonly serving?: boolean | undefined
}

export interface ToldWifi {
  /** Of the access point: twelve hexadecimal digits, with `:` or `-` between pairs or nothing. */
  readonly mac: string
  readonly signalDbm: number
  readonly ssid?: string | undefined
}

/** The platform takes the strongest ones of a longer list. */
export const toldSignalsMax = { cells: 10, wifi: 30 } as const
