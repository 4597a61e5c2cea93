export function MachineListPage() {
  return null
}
