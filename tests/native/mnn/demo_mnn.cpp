// How somebody feeds MNN, rightly or with one fault; `demo_mnn list` names the scenarios. The text is that of a program
// which knows nothing of a recorder but the last include.
#include <MNN/ImageProcess.hpp>
#include <MNN/Interpreter.hpp>

#include <stdio.h>

#include <memory>

#include "prepcheck_trace_mnn.hpp"

struct App {
    std::shared_ptr<MNN::Interpreter> net;
    MNN::Session *session;
    MNN::Tensor *input;
};

static App start(MNN::ScheduleConfig config) {
    App a;
    a.net.reset(MNN::Interpreter::createFromFile("model.mnn"));
    a.session = a.net->createSession(config);
    a.input = a.net->getSessionInput(a.session, "data");
    return a;
}

static App start() { return start(MNN::ScheduleConfig()); }

static void picture(float *at, int n, int frame) {
    for (int i = 0; i < n; i++) at[i] = static_cast<float>((i * 7 + frame * 31) % 251) / 255.0f;
}

static int run(App &a) {
    if (a.net->runSession(a.session) != MNN::NO_ERROR) return 1;
    MNN::Tensor *output = a.net->getSessionOutput(a.session, nullptr);
    std::shared_ptr<MNN::Tensor> host(new MNN::Tensor(output, MNN::Tensor::CAFFE));
    output->copyToHostTensor(host.get());
    printf("answer %.4f\n", static_cast<double>(host->host<float>()[0]));
    return 0;
}

static void copy(App &a, int frame) {
    std::shared_ptr<MNN::Tensor> host(new MNN::Tensor(a.input, MNN::Tensor::CAFFE));
    picture(host->host<float>(), host->size() / 4, frame);
    a.input->copyFromHostTensor(host.get());
}

static int copy_right() {
    App a = start();
    for (int frame = 0; frame < 3; frame++) {
        copy(a, frame);
        if (run(a)) return 1;
    }
    return 0;
}
static int resize_right() {
    App a = start();
    a.net->resizeTensor(a.input, {1, 3, 32, 32});
    a.net->resizeSession(a.session);
    copy(a, 0);
    return run(a);
}
static int image_right() {
    App a = start();
    std::vector<uint8_t> frame(48 * 32 * 3, 90);
    MNN::CV::ImageProcess::Config config;
    config.sourceFormat = MNN::CV::BGR;
    config.destFormat = MNN::CV::RGB;
    config.filterType = MNN::CV::BILINEAR;
    for (int i = 0; i < 3; i++) config.mean[i] = 127.5f, config.normal[i] = 1 / 127.5f;
    std::shared_ptr<MNN::CV::ImageProcess> process(MNN::CV::ImageProcess::create(config));
    MNN::CV::Matrix matrix;
    matrix.setScale(48.0f / 24.0f, 32.0f / 16.0f);
    matrix.postTranslate(0.5f, 0.5f); // 0.5 * 2 - 0.5: the centres of the pixels
    process->setMatrix(matrix);
    process->convert(frame.data(), 48, 32, 0, a.input);
    return run(a);
}
static int opencl_right() { // on a GPU: through the copy, not the host pointer
    MNN::BackendConfig backend;
    backend.precision = MNN::BackendConfig::Precision_High;
    MNN::ScheduleConfig config;
    config.type = MNN_FORWARD_OPENCL;
    config.mode = 68;
    config.backendConfig = &backend;
    App a = start(config);
    copy(a, 0);
    return run(a);
}
static int host_on_gpu() { // seed: written through host() of a tensor that lives on the device
    MNN::ScheduleConfig config;
    config.type = MNN_FORWARD_OPENCL;
    config.mode = 68;
    App a = start(config);
    picture(a.input->host<float>(), a.input->size() / 4, 0);
    return run(a);
}
static int written_once() { // the session recycles the input's memory: the second run sees something else
    App a = start();
    copy(a, 0);
    return run(a) || run(a);
}
static int never_written() {
    App a = start();
    return run(a);
}
static int write_before_resize() {
    App a = start();
    copy(a, 0);
    a.net->resizeTensor(a.input, {1, 3, 32, 32});
    a.net->resizeSession(a.session);
    return run(a);
}
static int resize_without_session() {
    App a = start();
    a.net->resizeTensor(a.input, {1, 3, 32, 32});
    copy(a, 0);
    run(a);
    return 0;
}
static int other_type() { // uint8 into a float tensor: MNN says true and copies nothing
    App a = start();
    std::shared_ptr<MNN::Tensor> host(MNN::Tensor::create<uint8_t>({1, 3, 16, 24}, nullptr, MNN::Tensor::CAFFE));
    a.input->copyFromHostTensor(host.get());
    return run(a);
}
static int image_without_matrix() { // the source is larger: its corner is taken
    App a = start();
    std::vector<uint8_t> frame(48 * 32 * 3, 90);
    std::shared_ptr<MNN::CV::ImageProcess> process(MNN::CV::ImageProcess::create(MNN::CV::BGR, MNN::CV::RGB));
    process->convert(frame.data(), 48, 32, 0, a.input);
    return run(a);
}

int main(int argc, char **argv) {
    const struct { const char *name; int (*run)(); } all[] = {
        {"copy_right", copy_right}, {"resize_right", resize_right}, {"image_right", image_right},
        {"opencl_right", opencl_right}, {"host_on_gpu", host_on_gpu}, {"written_once", written_once},
        {"never_written", never_written}, {"write_before_resize", write_before_resize},
        {"resize_without_session", resize_without_session}, {"other_type", other_type},
        {"image_without_matrix", image_without_matrix},
    };
    const std::string want = argc > 1 ? argv[1] : "list";
    for (const auto &s : all) {
        if (want == "list") puts(s.name);
        else if (want == s.name) return s.run();
    }
    return want == "list" ? 0 : 2;
}
