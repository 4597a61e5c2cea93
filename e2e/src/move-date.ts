/** Puts `Date` ahead of the real time; timers keep it. Runs within pages as well, so it uses nothing of this file. */
export function moveDate(aheadMs: () => number): void {
  const RealDate = Date
  const realNow = Date.now
  const now = () => realNow() + aheadMs()
  const MovedDate = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, asked) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
  RealDate.prototype.constructor = MovedDate
  globalThis.Date = MovedDate
}
