import type { telemetry } from '@busbar/contract'
import { useMemo } from 'react'
import { useIsLive } from '../../shared/api/live.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Sparkline } from '../../shared/ui/data/sparkline.tsx'
import { chartNumber } from '../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import { useLiveValue } from './live-values.ts'
import type { Machine } from './machine.ts'
import { displayState } from './machine-state.ts'

type KeyTag = NonNullable<NonNullable<Machine['overview']>['keyTag']>

/** The current key value: from the last push, else from the list. */
function useKeyValue(machine: Machine): {
  keyTag: KeyTag | null
  value: telemetry.TagValue
  quality: telemetry.Quality
  receivedAt: number | null
} {
  const keyTag = machine.overview?.keyTag ?? null
  const live = useLiveValue(keyTag?.tagId ?? null)
  const isConnected = useIsLive()
  const isLive = live !== undefined && live.time >= (keyTag?.time ?? 0)
  const quality = isLive ? live.quality : (keyTag?.quality ?? 'stale')
  return {
    keyTag,
    value: isLive ? live.value : (keyTag?.value ?? null),
    // The last value of an offline machine may be outdated; so may every value while the connection is lost.
    quality: machine.online && isConnected ? quality : 'stale',
    receivedAt: live?.receivedAt ?? null,
  }
}

/** The name of a machine's key value. */
export function keyValueName(machine: Machine): string {
  return machine.overview?.keyTag?.name ?? ''
}

/** The key value itself, in place, live. */
export function KeyValue({ machine, className }: { machine: Machine; className?: string | undefined }) {
  const { keyTag, value, quality } = useKeyValue(machine)
  return (
    <TagValueText
      value={value}
      tag={{ unit: keyTag?.unit ?? '', scale: keyTag?.scale ?? null }}
      quality={quality}
      tone={displayState(machine) === 'alarm' ? 'alarm' : 'normal'}
      mark={machine.online ? 'glyph' : 'none'}
      className={className}
    />
  )
}

/** The key value's last hour; its end is the value now. */
export function KeySparkline({
  machine,
  width,
  height,
}: {
  machine: Machine
  width?: number
  height?: number
}) {
  const { value } = useKeyValue(machine)
  const spark = machine.overview?.spark
  const { online } = machine
  const values = useMemo(() => {
    if (!spark) return []
    const now = online ? chartNumber(value) : null
    return now === null ? spark : [...spark.slice(0, -1), now]
  }, [spark, value, online])
  return (
    <Sparkline
      values={values}
      state={displayState(machine)}
      {...(width ? { width } : {})}
      {...(height ? { height } : {})}
    />
  )
}

/** Time at which the machine was last heard. */
export function LastSeen({ machine, className }: { machine: Machine; className?: string | undefined }) {
  const { receivedAt } = useKeyValue(machine)
  const at = Math.max(machine.lastSeen ?? 0, receivedAt ?? 0)
  return <RelativeTime at={at || null} className={className} />
}
