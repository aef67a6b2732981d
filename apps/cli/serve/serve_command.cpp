#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/serve/stop_signal.hpp"
#include "apps/studio/http/listener.hpp"
#include "apps/studio/http/token_file.hpp"
#include "apps/studio/studio.hpp"
#include "caos/error.hpp"
#include "caos/io/byte_size.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::cli {
namespace {

struct ServeCommandOptions {
  CommonOptions common;
  std::string data;
  bool demo = false;
  std::string address = "127.0.0.1";
  std::size_t port = 8474;
  std::string token_file;
  std::string new_token;
  std::vector<std::string> hosts;
  std::size_t max_upload = 64;
  std::size_t max_connections = 128;
  std::size_t timeout = 10;
  studio::WorkbenchOptions workbench;
  std::string cache_size = "2GB";
};

/// Everybody may make folders where temporary files are: it must be the user's own.
std::string demo_folder() {
  const std::string folder =
      std::filesystem::temp_directory_path() / fmt::format("caos-demo-{}", ::getuid());
  ::mkdir(folder.c_str(), 0700);
  struct stat found {};
  const bool own =
      ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid();
  require(own, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: not a folder of yours; give another one with --data", folder);
  });
  return folder;
}

std::string folder_of(const ServeCommandOptions& options) {
  require(options.demo || !options.data.empty(), ErrorKind::invalid_input,
          "--data is required: the folder where images and annotations are kept; or give --demo");
  return options.data.empty() ? demo_folder() : options.data;
}

/// A token is read where one is given; making one is for the first start.
std::string token_of(const ServeCommandOptions& options) {
  require(options.token_file.empty() || options.new_token.empty(), ErrorKind::invalid_input,
          "give --token-file or --make-token, not both");
  if (!options.new_token.empty()) studio::http::make_token(options.new_token);
  const std::string& file = options.new_token.empty() ? options.token_file : options.new_token;
  return file.empty() ? std::string() : studio::http::read_token(file);
}

void check(const ServeCommandOptions& options) {
  require(options.port <= 65535, ErrorKind::invalid_input, "--port: a port is at most 65535");
  require(options.max_connections <= 900, ErrorKind::invalid_input,
          "--max-connections: at most 900 can be served at once");
  require(options.max_upload <= 4096, ErrorKind::invalid_input,
          "--max-upload: at most 4096 MB can be uploaded at once");
  const std::string& backbone = options.workbench.backbone;
  const bool is_builtin = backbone == "builtin-2" || backbone == "builtin";
  require(is_builtin || backbone.starts_with("onnx:"), ErrorKind::invalid_input, [&] {
    return fmt::format("--backbone: '{}' is not builtin-2, builtin or onnx:FILE", backbone);
  });
  static_cast<void>(vision::WorkingSize::parse(options.workbench.working_size));
}

studio::http::Limits limits_of(const ServeCommandOptions& options) {
  studio::http::Limits limits;
  limits.connections = options.max_connections;
  limits.event_clients = (options.max_connections + 1) / 2;
  limits.upload_bytes = options.max_upload << 20;
  limits.bodies_bytes = std::max(limits.bodies_bytes, 2 * limits.upload_bytes);
  limits.head_time = std::chrono::seconds(options.timeout);
  limits.body_time = limits.head_time;
  limits.idle_time = 6 * limits.head_time;
  return limits;
}

studio::StudioOptions studio_options(const ServeCommandOptions& options) {
  check(options);
  studio::WorkbenchOptions workbench = options.workbench;
  workbench.cache_bytes = io::parse_byte_size(options.cache_size, "--cache-size");
  return {.folder = folder_of(options),
          .demo = options.demo,
          .server = {.address = options.address,
                     .port = static_cast<std::uint16_t>(options.port),
                     .token = token_of(options),
                     .allowed_hosts = options.hosts,
                     .limits = limits_of(options)},
          .workbench = std::move(workbench)};
}

void announce(const ServeCommandOptions& options, const studio::Studio& studio,
              const std::string& folder) {
  print_result(
      options.common,
      [&] {
        return Json{{"url", studio.url()}, {"data", folder}, {"login", studio.has_token()}};
      },
      [&] { return "The studio is at " + studio.url() + "\n"; });
  finish_printing();
  note(options.common, "Everything is kept in " + folder + ". Ctrl-C stops the studio.");
}

void warn_of_others(const ServeCommandOptions& options) {
  if (studio::http::is_loopback(options.address)) return;
  warn(options.common,
       "others can reach the studio, and without TLS anyone on the network can read images and the "
       "token; put it behind a proxy that speaks TLS, or use an SSH tunnel");
}

void run(const ServeCommandOptions& options) {
  StopSignal stop_signal;  // before any thread of the studio starts
  const studio::StudioOptions settings = studio_options(options);
  studio::http::check(settings.server);
  studio::Studio studio(settings);
  warn_of_others(options);
  announce(options, studio, settings.folder);
  stop_signal.wait();
  studio.stop();
}

void add_server_options(Command& command, ServeCommandOptions& options) {
  command
      .add_option("--address", options.address,
                  "IP address to listen on; any but loopback needs a token")
      ->type_name("A")
      ->default_str(options.address);
  add_whole_number(command, "--port", options.port, "Port to listen on; 0: any free port", 0);
  add_path(command, "--token-file", options.token_file,
           "Require the token in this file, one line of at least 16 letters");
  add_path(command, "--make-token", options.new_token,
           "Write a random token into this new file, and require it");
  command
      .add_option("--allow-host", options.hosts,
                  "Host name, besides localhost, under which browsers may open the studio")
      ->type_name("NAME");
  add_whole_number(command, "--max-upload", options.max_upload, "Largest image file, in MB");
  add_whole_number(command, "--max-connections", options.max_connections,
                   "Maximum number of connections; more are refused");
  add_whole_number(command, "--timeout", options.timeout,
                   "Seconds before an idle client is disconnected");
}

}  // namespace

void add_serve(Command& app) {
  Command& command = app.add_subcommand(
      "serve", "Start the studio: label images in the browser and review regions");
  const auto options = std::make_shared<ServeCommandOptions>();
  add_path(command, "--data", options->data, "Folder for all data; created if missing")
      ->type_name("DIR");
  command.add_flag("--demo", options->demo,
                   "Open a demo project of synthetic faces; without --data in a temporary folder");
  add_server_options(command, *options);
  command
      .add_option("--backbone", options->workbench.backbone,
                  "Backbone of new projects: builtin-2, builtin, or onnx:FILE")
      ->offers({"builtin-2", "builtin", "onnx:"})
      ->type_name("B")
      ->default_str(options->workbench.backbone);
  command
      .add_option(
          "--working-size", options->workbench.working_size,
          "The size at which images of new projects are embedded: a longest side (512), a box "
          "(192x224), or original")
      ->offers({"original"})
      ->type_name("S")
      ->default_str(options->workbench.working_size);
  command
      .add_option(
          "--cache-size", options->cache_size,
          "Largest size of the folder for embeddings, such as 500MB; the least recently used are "
          "deleted")
      ->type_name("SIZE")
      ->default_str(options->cache_size);
  add_threads(command, options->workbench.threads);
  add_common_options(command, options->common);
  command.footer(
      "Nothing leaves this machine: the page is part of the program, and by default only this\n"
      "machine can open it.\n\n"
      "Example:\n  caos serve --data studio");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
