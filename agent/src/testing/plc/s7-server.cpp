// A controller of snap7, and a client of snap7 that looks into it.
//
// Usage: s7-server PORT PDU_BYTES DB:BYTES...   The areas M, I and Q have 256 bytes, T and C 64.
// The server takes the number of a timer or counter for half its byte: only from number 0 on it is right.
// Says "ready" when it listens. Lines on stdin, with areas DB, M, I, Q, T and C (START and COUNT in bytes):
//   set AREA DB START HEX      changes the memory; answered with "done"
//   get AREA DB START COUNT    asks by the client; answered with "bytes HEX"
//   tool PORT [ADDRESS]        connects another client to a port of this computer, by default at 127.0.0.1
// and by that one, with errors as snap7 numbers them, 0 for none:
//   tool-get AREA DB START COUNT, tool-set DB NUMBER START HEX, tool-do ACT   (an act: see below)
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include "s7_client.h"
#include "s7_server.h"

namespace {

struct Area {
  int serverCode;
  int clientCode;
  int elementBytes;
  int element;
};

const std::map<std::string, Area> areas = {
    {"DB", {srvAreaDB, S7AreaDB, 1, S7WLByte}}, {"M", {srvAreaMK, S7AreaMK, 1, S7WLByte}},
    {"I", {srvAreaPE, S7AreaPE, 1, S7WLByte}},  {"Q", {srvAreaPA, S7AreaPA, 1, S7WLByte}},
    {"T", {srvAreaTM, S7AreaTM, 2, S7WLTimer}}, {"C", {srvAreaCT, S7AreaCT, 2, S7WLCounter}},
};

using Key = std::pair<std::string, int>;
std::map<Key, std::vector<byte>> memory;

void addArea(TSnap7Server& server, const std::string& area, int db, int bytes) {
  auto& place = memory[{area, db}];
  place.assign(bytes, 0);
  server.RegisterArea(areas.at(area).serverCode, db, place.data(), bytes);
}

std::string setBytes(const Key& key, int start, const std::string& hex) {
  auto& place = memory.at(key);
  for (size_t at = 0; at + 1 < hex.size(); at += 2)
    place.at(start + at / 2) = std::stoi(hex.substr(at, 2), nullptr, 16);
  return "done";
}

std::string getBytes(TSnap7Client& client, const Key& key, int start, int count) {
  const auto& facts = areas.at(key.first);
  std::vector<byte> bytes(count);
  const int error = client.ReadArea(facts.clientCode, key.second, start / facts.elementBytes,
                                    count / facts.elementBytes, facts.element, bytes.data());
  if (error != 0) return "failed " + std::to_string(error);
  std::string text = "bytes ";
  char pair[3];
  for (const byte value : bytes) {
    std::snprintf(pair, sizeof pair, "%02x", value);
    text += pair;
  }
  return text;
}

// What a tool does besides reading and writing variables; the error.
int act(TSnap7Client& client, const std::string& what) {
  if (what == "stop") return client.PlcStop();
  if (what == "start") return client.PlcHotStart();
  if (what == "clear") return client.ClearSessionPassword();
  if (what == "password") return client.SetSessionPassword(const_cast<char*>("12345678"));
  if (what == "set-clock") return client.SetPlcSystemDateTime();
  if (what == "delete") return client.Delete(Block_DB, 1);
  std::vector<byte> room(65536);
  int size = room.size();
  if (what == "upload") return client.Upload(Block_DB, 1, room.data(), size);
  if (what == "clock") {
    tm time;
    return client.GetPlcDateTime(time);
  }
  if (what == "blocks") return client.ListBlocks(reinterpret_cast<PS7BlocksList>(room.data()));
  if (what == "data-blocks") {
    int count = 0x2000;
    return client.ListBlocksOfType(Block_DB, reinterpret_cast<TS7BlocksOfType*>(room.data()), count);
  }
  if (what == "state") return client.ReadSZL(0x0011, 0, reinterpret_cast<PS7SZL>(room.data()), size);
  if (what == "lists") {
    int count = 0x2000;
    return client.ReadSZLList(reinterpret_cast<PS7SZLList>(room.data()), count);
  }
  return -1;
}

std::string setByTool(TSnap7Client& client, int db, int start, const std::string& hex) {
  std::vector<byte> bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) bytes.push_back(std::stoi(hex.substr(at, 2), nullptr, 16));
  return "error " + std::to_string(client.WriteArea(S7AreaDB, db, start, bytes.size(), S7WLByte, bytes.data()));
}

std::string answer(TSnap7Client& client, TSnap7Client& tool, const std::string& line) {
  std::istringstream words(line);
  std::string order, area, rest;
  int db = 0, start = 0;
  words >> order >> area >> db >> start >> rest;
  const Key key{area, db};
  if (order == "set") return setBytes(key, start, rest);
  if (order == "get") return getBytes(client, key, start, std::stoi(rest));
  if (order == "tool-get") return getBytes(tool, key, start, std::stoi(rest));
  if (order == "tool-set") return setByTool(tool, db, start, rest);
  if (order == "tool-do") return "error " + std::to_string(act(tool, area));
  word port = std::stoi(area);
  std::string address = "127.0.0.1";
  std::istringstream(line) >> order >> area >> address;
  tool.SetParam(p_u16_RemotePort, &port);
  return "error " + std::to_string(tool.ConnectTo(address.c_str(), 0, 2));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  word port = std::stoi(argv[1]);
  int pduBytes = std::stoi(argv[2]);
  TSnap7Server server;
  server.SetParam(p_u16_LocalPort, &port);
  server.SetParam(p_i32_PDURequest, &pduBytes);
  for (const char* area : {"M", "I", "Q"}) addArea(server, area, 0, 256);
  for (const char* area : {"T", "C"}) addArea(server, area, 0, 64);
  for (int at = 3; at < argc; at++) {
    const std::string block = argv[at];
    const auto colon = block.find(':');
    addArea(server, "DB", std::stoi(block.substr(0, colon)), std::stoi(block.substr(colon + 1)));
  }
  if (server.StartTo("127.0.0.1") != 0) {
    std::cerr << "cannot listen on port " << port << std::endl;
    return 1;
  }
  TSnap7Client client;
  client.SetParam(p_u16_RemotePort, &port);
  client.ConnectTo("127.0.0.1", 0, 2);
  std::cout << "ready" << std::endl;
  TSnap7Client tool;
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(client, tool, line) << std::endl;
  tool.Disconnect();
  client.Disconnect();
  server.Stop();
  return 0;
}
