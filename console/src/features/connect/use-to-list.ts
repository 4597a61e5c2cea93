import { useNavigate } from '@tanstack/react-router'

/** Goes to the list that the device is for, or to the device in it. */
export function useToList(eid: number | undefined): (machine?: number) => void {
  const navigate = useNavigate()
  return (machine) => {
    const open = machine === undefined ? {} : { machine }
    void (eid === undefined
      ? navigate({ to: '/index/', search: open })
      : navigate({ to: '/device', search: { type: 1, eid, ...open } }))
  }
}
