/** A row of the personal list as the platform answers it. */
export const machineAnswer = (machine_id: number, machine_name: string, signs: object = {}) => ({
  machine_id,
  machine_name,
  machine_code: String(machine_id).padStart(19, '0'),
  machine_remark: '',
  machine_type: 'press',
  model: '',
  check_type: 0,
  online: true,
  lastSeen: 1,
  cloud_service: true,
  limit_authority: 3,
  role: 'akey',
  readOnly: false,
  groups: [],
  address: '',
  project_image: '',
  openAlarms: 0,
  worstAlarm: null,
  overview: null,
  application: null,
  ...signs,
})

/** One that the person only has in the list, as an ordinary user. */
export const hiddenMachineAnswer = (id: number, name: string) =>
  machineAnswer(id, name, { limit_authority: 0 })
