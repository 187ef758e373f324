// Downloads, against a server of this process on the loopback interface.
#include "model/fetch.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "model/model_search.h"
#include "model/sha256.h"
#include "sample_model.h"
#include "support/temporary_folder.h"

namespace vmafbatch::model {
namespace {

namespace fs = std::filesystem;
using vmafbatch::testing::SampleModel;
using vmafbatch::testing::TemporaryFolder;

// Serves /models/sub/sample.json as `handler` says.
class Server {
 public:
  explicit Server(httplib::Server::Handler handler) {
    server_.Get("/models/sub/sample.json", std::move(handler));
    setenv("no_proxy", "127.0.0.1", 1);  // a proxy of the machine does not lead here
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~Server() {
    server_.stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  httplib::Server& http() { return server_; }

  FetchSettings settings() const {
    FetchSettings result;
    result.base_url = "http://127.0.0.1:" + std::to_string(port_) + "/models";
    result.total_timeout = std::chrono::milliseconds(20000);
    return result;
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

class Fetch : public ::testing::Test {
 protected:
  KnownModel known() const { return {"sample.json", "sub/sample.json", sha256_}; }

  httplib::Server::Handler whole(const std::string& body) const {
    return [body](const httplib::Request&, httplib::Response& response) { response.set_content(body, "application/json"); };
  }

  std::string refusal(const FetchSettings& settings) const {
    const auto result = fetch_model(known(), target(), settings);
    EXPECT_FALSE(fs::exists(target())) << "a failed download left something behind";
    return result ? "accepted" : result.error().message;
  }

  fs::path target() const { return folder_.path() / "installed"; }

  TemporaryFolder folder_;
  std::string json_ = SampleModel().json();
  std::string sha256_ = sha256_hex(json_);
};

TEST_F(Fetch, InstallsTheRightFile) {
  const Server server(whole(json_));
  FetchSettings settings = server.settings();
  std::atomic<std::uint64_t> received = 0;
  settings.progress = [&](std::uint64_t bytes, std::uint64_t) { received = bytes; };
  EXPECT_FALSE(has_model(known(), target()));
  const auto installed = fetch_model(known(), target(), settings);
  ASSERT_TRUE(installed) << installed.error().message;
  EXPECT_EQ(*installed, target() / "sample.json");
  EXPECT_EQ(*read_model_text(*installed), json_);
  EXPECT_EQ(received, json_.size());
  EXPECT_TRUE(has_model(known(), target()));
}

TEST_F(Fetch, FollowsARedirection) {
  Server server([](const httplib::Request&, httplib::Response& response) { response.set_redirect("/elsewhere"); });
  server.http().Get("/elsewhere", whole(json_));
  EXPECT_TRUE(fetch_model(known(), target(), server.settings()));
}

TEST_F(Fetch, RefusesAWrongHash) {
  const Server server(whole(json_ + " "));
  const std::string message = refusal(server.settings());
  EXPECT_NE(message.find("SHA-256"), std::string::npos) << message;
  EXPECT_NE(message.find(sha256_), std::string::npos) << message;
}

TEST_F(Fetch, KeepsTheInstalledFileAfterAFailure) {
  fs::create_directories(target());
  std::ofstream(target() / "sample.json") << "old";
  const Server server(whole("other"));
  EXPECT_FALSE(fetch_model(known(), target(), server.settings()));
  EXPECT_EQ(*read_model_text(target() / "sample.json"), "old");
}

TEST_F(Fetch, SaysThatTheAnswerWasCutOff) {
  const Server server([this](const httplib::Request&, httplib::Response& response) {
    response.set_content_provider(json_.size(), "application/json", [this](std::size_t offset, std::size_t, httplib::DataSink& sink) {
      if (offset > 0) return false;
      return sink.write(json_.data(), json_.size() / 2);
    });
  });
  const std::string message = refusal(server.settings());
  EXPECT_NE(message.find("cut off"), std::string::npos) << message;
}

TEST_F(Fetch, SaysThatTheServerHasNoSuchFile) {
  const Server server([](const httplib::Request&, httplib::Response& response) { response.status = 404; });
  const std::string message = refusal(server.settings());
  EXPECT_NE(message.find("no such file (404)"), std::string::npos) << message;
  EXPECT_NE(message.find("/models/sub/sample.json"), std::string::npos) << message;
}

TEST_F(Fetch, SaysWithWhatCodeTheServerRefused) {
  const Server server([](const httplib::Request&, httplib::Response& response) { response.status = 503; });
  EXPECT_NE(refusal(server.settings()).find("code 503"), std::string::npos);
}

TEST_F(Fetch, SaysThatTheServerIsTooSlow) {
  std::atomic<bool> ended = false;
  const Server server([&](const httplib::Request&, httplib::Response& response) {
    response.set_content_provider(json_.size(), "application/json", [&](std::size_t offset, std::size_t, httplib::DataSink& sink) {
      for (int i = 0; offset > 0 && i < 200 && !ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return sink.write(json_.data() + offset, 1);
    });
  });
  FetchSettings settings = server.settings();
  settings.total_timeout = std::chrono::milliseconds(200);
  const std::string message = refusal(settings);
  ended = true;
  EXPECT_NE(message.find("too slow"), std::string::npos) << message;
}

TEST_F(Fetch, EndsWhenNothingArrives) {
  std::atomic<bool> ended = false;
  const Server server([&](const httplib::Request&, httplib::Response& response) {
    for (int i = 0; i < 1000 && !ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    response.status = 404;
  });
  FetchSettings settings = server.settings();
  settings.stall_timeout = std::chrono::seconds(1);
  const std::string message = refusal(settings);
  ended = true;
  EXPECT_NE(message.find("too slow"), std::string::npos) << message;
}

TEST_F(Fetch, RefusesMoreBytesThanAModelHas) {
  const Server server(whole(json_));
  FetchSettings settings = server.settings();
  settings.max_bytes = json_.size() - 1;
  EXPECT_NE(refusal(settings).find("no VMAF model"), std::string::npos);
}

TEST_F(Fetch, SaysThatTheServerCannotBeReached) {
  FetchSettings settings;
  {
    const Server gone(whole(json_));
    settings = gone.settings();
  }
  const std::string message = refusal(settings);
  EXPECT_NE(message.find("cannot be reached"), std::string::npos) << message;
  EXPECT_NE(message.find("--from URL"), std::string::npos) << message;
}

TEST_F(Fetch, TakesNothingButHttpAndHttps) {
  FetchSettings settings;
  settings.base_url = "file://" + folder_.path().string();
  folder_.write("sub/sample.json", json_);
  EXPECT_NE(refusal(settings).find("no http or https address"), std::string::npos);
}

}  // namespace
}  // namespace vmafbatch::model
