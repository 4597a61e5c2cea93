import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { useIsLive } from '../../../shared/api/live.ts'
import type { LiveValue } from '../../../shared/api/live-value.ts'
import type { FoundTag } from '../board-data.ts'

/** The newest value of a variable; without a connection to the platform it is marked as possibly old. */
export function useTagNow(tag: FoundTag): Pick<LiveValue, 'value' | 'quality' | 'time'> | undefined {
  const live = useLiveValue(tag.tagId) ?? tag.latest ?? undefined
  const hears = useIsLive()
  return live && !hears && live.quality === 'good' ? { ...live, quality: 'stale' } : live
}
