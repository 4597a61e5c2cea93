/** The ten states of a SIM card, in the order of their numbers from 1. */
export const simStates = [
  'unactivated',
  'silent',
  'suspended',
  'disconnected',
  'toActivate',
  'working',
  'expired',
  'recycled',
  'unknown',
  'deleted',
] as const
export type SimState = (typeof simStates)[number]

/** The number of a state in the calls. */
export const simStatus = (state: SimState): number => simStates.indexOf(state) + 1

/** Why a carrier stopped a card. */
export const simStopReasons = [
  'overQuota',
  'overThreshold',
  'poolEmpty',
  'planOver',
  'ownWish',
  'violation',
  'otherDevice',
] as const
export type SimStopReason = (typeof simStopReasons)[number]

/** When a plan's month begins: on the 1st, or on the 27th of the month before. */
export const simCycles = ['calendar', 'day27'] as const
export type SimCycle = (typeof simCycles)[number]

/** The kinds of accounts at carriers. */
export const carrierKinds = ['controlCenter', '1nce', 'gsl', 'simulator'] as const
export type CarrierKind = (typeof carrierKinds)[number]

/** An ICCID (ITU-T E.118): 19 characters, or 20 with the check digit at its end. */
export const iccidPattern = /^89[0-9A-F]{17}[0-9A-F]?$/

/** The same card has the same key, with a check digit or without. */
export const iccidKey = (iccid: string): string => iccid.slice(0, 19)

export const simLimits = {
  /** Of the deployment. */
  cardsMax: 1_000_000,
  plansMax: 500,
  planNameMax: 60,
  /** 1 PB. */
  planMbMax: 1_000_000_000,
  accountNameMax: 40,
  daysLeftMax: 3_650,
} as const
