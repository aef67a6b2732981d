#include "tests/text/models/servers/real_llama_server.hpp"

#include <fcntl.h>
#include <httplib.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace caos::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{60};

/// A port that was free a moment ago.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool bound = ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
  ::close(socket);
  if (!bound) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::exists(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  }
  return {};
}

}  // namespace

std::string llama_server_program() {
  const char* const named = std::getenv("CAOS_LLAMA_SERVER");
  if (named != nullptr) return named;
  const std::string fetched = CAOS_SOURCE_DIR "/deps/llama-server/llama-server";
  return fs::exists(fetched) ? fetched : on_path("llama-server");
}

RealLlamaServer::RealLlamaServer(const std::string& model, const std::vector<std::string>& more)
    : port_(free_port()),
      log_((fs::temp_directory_path() / ("llama-server-" + std::to_string(port_))).string()) {
  std::vector<std::string> arguments = {
      llama_server_program(), "--model", model, "--host",    "127.0.0.1", "--port",
      std::to_string(port_),  "-np",     "2",   "--threads", "1",         "--offline"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  start(arguments);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!answers()) {
    if (!runs() || std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("llama-server does not answer; it printed:\n" + printed());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

RealLlamaServer::~RealLlamaServer() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  fs::remove(log_);
}

void RealLlamaServer::start(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  const int failure = ::posix_spawn(&process_, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error(arguments[0] + ": cannot be started");
}

bool RealLlamaServer::answers() const {
  httplib::Client client(url());
  const auto answer = client.Get("/health");
  return answer && answer->status == 200;
}

bool RealLlamaServer::runs() const { return ::waitpid(process_, nullptr, WNOHANG) == 0; }

std::string RealLlamaServer::printed() const {
  std::ostringstream text;
  text << std::ifstream(log_).rdbuf();
  return text.str();
}

}  // namespace caos::test
