import { destinations } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { formatExact, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { explainFault } from '../destinations/destination-look.ts'
import { useDestinationsText } from '../destinations/destinations-text.ts'
import { Exchange } from '../destinations/exchange.tsx'
import { useDeliveriesText } from './deliveries-text.ts'

interface DeliveryDialogProps {
  delivery: destinations.Delivery
  onClose: () => void
}

/** A delivery with its request, if it is kept, and its answer. */
export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const t = useDeliveriesText()
  const ofDestinations = useDestinationsText()
  const { app } = useText()
  const { id, at, target, status, rows, error: fault, httpStatus } = delivery
  const { data, error } = useQuery({
    queryKey: ['projects', 'delivery', id],
    queryFn: ({ signal }) => call(destinations.getDelivery, { id }, { signal, noNotice: true }),
  })
  return (
    <Dialog
      title={t.detailTitle(formatNumber(rows))}
      width={720}
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          {app.close}
        </Button>
      }
    >
      <Stack gap={16}>
        <Text as="p" tone="soft" numbers>
          {target} · {formatExact(at)} · {t.states[status]}
        </Text>
        {fault && (
          <Stack gap={4}>
            <Text as="p" weight={600}>
              {explainFault(fault, httpStatus, ofDestinations)}
            </Text>
            <p>{ofDestinations.faults[fault].remedy}</p>
          </Stack>
        )}
        {data && (
          <>
            <Exchange title={ofDestinations.request} text={data.request} none={t.noRequest} />
            <Exchange title={ofDestinations.response} text={data.response} none={ofDestinations.noResponse} />
          </>
        )}
        {error && (
          <Text as="p" role="alert" tone="crit">
            {t.failed}
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}
