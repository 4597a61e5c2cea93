import { browserZone, describeOffset, useText, useZone } from '../i18n/index.ts'

/** The zone of the times beside it, if it differs from the browser's. */
export function ZoneNote({ className }: { className?: string | undefined }) {
  const t = useText().app.zone
  const zone = useZone()
  if (zone === browserZone) return null
  return <p className={className}>{t.note(zone, describeOffset(Date.now()))}</p>
}
