import { places } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { placeKey } from '../../../entities/machine/machine-queries.ts'
import { MovedBetween } from '../../../entities/place/moved-between.tsx'
import { call } from '../../../shared/api/client.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import { Box } from '../../../shared/ui/layout/layout.tsx'

/** From where to where a machine was moved, for people who may see its place: the text of the alarm tells all readers less. */
export function MovedPlaces({ machineId }: { machineId: number }) {
  const lang = useLang()
  const { data } = useQuery({
    queryKey: [...placeKey(machineId), 'now', 'alarm', lang],
    queryFn: ({ signal }) => call(places.getPlace, { machineID: machineId }, { signal, noNotice: true }),
    retry: false,
  })
  return (
    data && (
      <Box above={10}>
        <MovedBetween place={data} />
      </Box>
    )
  )
}
