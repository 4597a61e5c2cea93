"""Modbus servers of pymodbus over one memory: Modbus TCP, and RTU frames over TCP.

Usage: modbus-server.py TCP_PORT RTU_PORT UNITS. Says "ready" when both listen. Lines on stdin:
  set UNIT AREA ADDRESS VALUE...   AREA is holding, input, coil or discrete
  get UNIT AREA ADDRESS COUNT      answered with "values V..."
Each unit has 16,384 registers and bits of each area; beyond them it answers with exception 2.
"""
import asyncio
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.framer.rtu_framer import ModbusRtuFramer
from pymodbus.server.async_io import ModbusTcpServer

SIZE = 16384
FUNCTIONS = {"holding": 3, "input": 4, "coil": 1, "discrete": 2}


def unit():
    block = lambda: ModbusSequentialDataBlock(0, [0] * SIZE)
    return ModbusSlaveContext(hr=block(), ir=block(), co=block(), di=block(), zero_mode=True)


async def main():
    tcp_port, rtu_port, units = (int(word) for word in sys.argv[1:4])
    context = ModbusServerContext(slaves={number: unit() for number in range(1, units + 1)}, single=False)
    servers = [
        ModbusTcpServer(context, address=("127.0.0.1", tcp_port), ignore_missing_slaves=True),
        ModbusTcpServer(context, framer=ModbusRtuFramer, address=("127.0.0.1", rtu_port), ignore_missing_slaves=True),
    ]
    running = [asyncio.create_task(server.serve_forever()) for server in servers]
    await asyncio.gather(*(server.serving for server in servers))
    print("ready", flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().split():
        order, number, area, address = line[0], int(line[1]), FUNCTIONS[line[2]], int(line[3])
        rest = [int(word) for word in line[4:]]
        if order == "set":
            context[number].setValues(area, address, rest)
            print("done", flush=True)
        else:
            values = context[number].getValues(area, address, rest[0])
            print("values", *(int(value) for value in values), flush=True)
    for task in running:
        task.cancel()


asyncio.run(main())
