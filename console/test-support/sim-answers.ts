/** A card as the platform answers it, in use. */
export const simAnswer = (change: object = {}) => ({
  iccid: '8986000000000000001',
  msisdn: '861440000000001',
  carrier: 'North',
  status: 6,
  state: 'working',
  statusText: 'ACTIVATED',
  stopReason: null,
  plan: { planId: 3, name: 'Basic', totalMb: 1_000, cycle: 'calendar' },
  usedMb: 310,
  leftMb: 690,
  asOf: Date.UTC(2026, 10, 30, 0),
  activeAt: Date.UTC(2026, 0, 5),
  expireAt: Date.UTC(2027, 2, 31, 15, 59, 59),
  forecast: null as object | null,
  machineId: 7,
  cycleFrom: '2026-11-01',
  cycleTo: '2026-11-30',
  history: [
    { month: '2026-10', mb: 640 },
    { month: '2026-11', mb: 310 },
  ],
  days: [{ day: '2026-11-29', mb: 12 }],
  toldIccid: null as string | null,
  hasWrongCheckDigit: false,
  failedAt: null as number | null,
  cards: ['8986000000000000001'],
  ...change,
})

/** A row of a list of cards. */
export const listedSimAnswer = (iccid: string, machineName: string, change: object = {}) => {
  const {
    history: _,
    days: __,
    cards: ___,
    hasWrongCheckDigit: ____,
    cycleFrom: _____,
    cycleTo: ______,
    ...card
  } = simAnswer({ iccid })
  return { ...card, machineCode: '1000000000000000007', machineName, ...change }
}
